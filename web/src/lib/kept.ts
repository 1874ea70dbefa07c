/** Small values that this browser remembers. If it can't, nothing is remembered and nothing breaks. */
export function recall(key: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(`tikal.${key}`) ?? '{}');
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {};
  } catch {
    return {};
  }
}

export function remember(key: string, what: Record<string, unknown>): void {
  try {
    localStorage.setItem(`tikal.${key}`, JSON.stringify(what));
  } catch {
    return; // full, or forbidden
  }
}
