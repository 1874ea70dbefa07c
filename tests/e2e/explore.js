/**
 * Finds every action that a player could reach from here by clicks, without taking one: looks at each hex, takes each
 * member by the hand, takes up each tool, opens the exchange. Returns the notations of all controls that were visible and enabled.
 */
async () => {
  const found = new Set();
  const shown = (element) =>
    !element.disabled && !element.closest('[inert]') && element.checkVisibility({ visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await null; // the page is drawn anew before the next task
  };
  const collect = () => all('[data-action]').forEach((element) => found.add(element.dataset.action));
  const press = async (element, more = {}) => {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...more }));
    await settled();
  };
  const escape = async () => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await settled();
  };

  for (const ready of all('[role=alertdialog][aria-modal] button')) await press(ready); // the cover between two players
  collect();
  for (const tool of all('[data-tool=bids]')) {
    await press(tool);
    collect();
  }
  for (const hex of all('[data-hex]')) {
    await press(hex, { shiftKey: true });
    collect();
    for (const member of all('[data-member]')) {
      if (member.getAttribute('aria-pressed') !== 'true') await press(member);
      collect();
    }
    for (const tool of all('[data-tool]')) {
      await press(tool);
      collect();
      await press(tool);
    }
    for (let step = 0; step < 4 && document.querySelector('[data-hex][aria-pressed=true]'); step++) await escape();
  }
  const door = all('[data-exchange]:not([aria-disabled=true])')[0];
  if (door) {
    await press(door);
    for (const give of all('[data-give]')) {
      await press(give);
      for (const take of all('[data-take]')) {
        await press(take);
        collect();
      }
    }
    document.querySelector('dialog[open]').close();
    await settled();
  }
  return [...found].sort();
};
