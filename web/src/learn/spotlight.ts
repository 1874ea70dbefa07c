/**
 * Marks the next control of a lesson with `data-next`, whatever the page looks like: it relies on the
 * contract that all controls keep (`data-action`, `data-hex`, `data-member`, `data-exchange` …).
 */
import { type Action, type ActionKind, hexesOf, parse } from '../lib/notation';

function usable(element: Element): boolean {
  return element.checkVisibility() && !element.closest('[inert]') && !(element as HTMLButtonElement).disabled;
}

/** The last usable one counts: a confirmation comes after the control that opened it. */
function last(root: ParentNode, selector: string): Element | null {
  return [...root.querySelectorAll(selector)].filter(usable).at(-1) ?? null;
}

function byAction(root: ParentNode, actions: readonly string[]): Element | null {
  for (let count = actions.length; count; count--) {
    const named = `[data-action="${CSS.escape(actions.slice(0, count).join(' '))}"]`;
    const found = last(root, `button${named}`) ?? last(root, named);
    if (found) return found;
  }
  return null;
}

function forExchange(root: ParentNode, { with: seat, give, take }: Extract<Action, { kind: 'exchange' }>): Element | null {
  const pressed = ':not([aria-pressed="true"])';
  return last(root, `[data-give="${give}"]${pressed}`) ?? last(root, `[data-take="${seat}:${take}"]${pressed}`) ?? last(root, '[data-exchange]');
}

/** The button that opens the actions of a kind. */
const TOOLS: Readonly<Partial<Record<ActionKind, string>>> = { obstacle: 'obstacle', shoot: 'shoot', bid: 'bids' };

function tool(root: ParentNode, kind: ActionKind): Element | null {
  const name = TOOLS[kind];
  return name ? last(root, `[data-tool="${name}"]:not([aria-pressed="true"]):not([aria-expanded="true"])`) : null;
}

/** The next control on the way to these actions. */
export function control(root: ParentNode, actions: readonly string[]): Element | null {
  const direct = byAction(root, actions);
  if (direct) return direct;
  const action = parse(actions[0] ?? '');
  if (!action) return null;
  if (action.kind === 'exchange') return forExchange(root, action);
  const button = tool(root, action.kind);
  if (button) return button;
  const [hex] = hexesOf(action);
  if (!hex) return null;
  const chosen = root.querySelector(`[data-hex="${hex}"][aria-pressed="true"]`);
  const walks = action.kind === 'move' || action.kind === 'camp_move';
  const member = chosen && walks ? last(root, `[data-member="${action.member}"]:not([aria-pressed="true"])`) : null;
  return member ?? last(root, `[data-hex="${hex}"]`);
}

/** Keeps the mark up to date while the page changes. Returns functions that stop it and that look again. */
export function spotlight(root: HTMLElement, next: () => readonly string[]): { look: () => void; stop: () => void } {
  let marked: Element | null = null;
  const look = (): void => {
    const found = control(root, next());
    if (found === marked) return;
    marked?.removeAttribute('data-next');
    found?.setAttribute('data-next', '');
    if (found && !found.matches('[data-hex]')) found.scrollIntoView?.({ block: 'nearest' });
    marked = found;
  };
  const observer = new MutationObserver(look);
  const attributeFilter = ['data-action', 'data-hex', 'disabled', 'aria-pressed', 'aria-expanded', 'inert', 'open', 'class', 'hidden'];
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  look();
  return {
    look,
    stop: () => {
      observer.disconnect();
      marked?.removeAttribute('data-next');
    },
  };
}
