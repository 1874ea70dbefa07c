/** The keys that work anywhere on a table's page, unless a text field has the focus. */
export interface Keys {
  turn: (way: 1 | -1) => void;
  escape: () => void;
  end: () => void;
  undo: () => void;
  redo: () => void;
  board: () => void;
  command: () => void;
  skip: () => void;
  focus: () => void;
}

const WRITING = 'input, textarea, select, [contenteditable]';

export function answerKey(event: KeyboardEvent, keys: Keys): void {
  const target = event.target as Element | null;
  if (event.key === 'Escape') return keys.escape();
  if (target?.closest?.(WRITING) || target?.closest?.('dialog') || event.metaKey || event.altKey) return;
  if (event.ctrlKey) {
    if (event.key === 'z') keys.undo();
    else if (event.key === 'y') keys.redo();
    else return;
    return event.preventDefault();
  }
  const answers: Record<string, () => void> = {
    r: () => keys.turn(1),
    R: () => keys.turn(-1),
    u: keys.undo,
    y: keys.redo,
    e: keys.end,
    b: keys.board,
    s: keys.skip,
    f: keys.focus,
    '/': keys.command,
  };
  const answer = answers[event.key];
  if (!answer) return;
  event.preventDefault();
  answer();
}
