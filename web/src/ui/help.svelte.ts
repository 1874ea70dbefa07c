/**
 * Help by `?`, on every page. The focused thing may have an explanation: `help.explain`, which the
 * table's cards set. Otherwise the keyboard shortcuts are shown. Only `App` listens to the key.
 */
const WRITING = 'input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable]';

class Help {
  open = $state(false);
  /** Explains a thing on the page; false if there is no explanation. */
  explain: (thing: Element) => boolean = () => false;

  answer(event: KeyboardEvent): void {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = event.target instanceof Element ? event.target : null;
    if (focused?.closest(WRITING) || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    if (!focused || !this.explain(focused)) this.open = true;
  }
}

export const help = new Help();
