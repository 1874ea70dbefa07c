/**
 * Messages in ICU's format, as the build compiles them (`catalogues.ts`), filled in with values. Pages need no parser.
 *
 *     filled(['Buy ', ['count', 'plural', { one: 'a tile', other: [0, ' tiles'] }]], { count: 3 }, 'en') // Buy 3 tiles
 */

/** A text without values, or the parts of one. */
export type Message = string | readonly Part[];
/** A literal, `0` for the number that the plural around it counts, or a value. */
export type Part = string | 0 | Value;
export type Value =
  | readonly [name: string]
  | readonly [name: string, kind: 'number', options: Intl.NumberFormatOptions]
  | readonly [name: string, kind: 'plural' | 'selectordinal' | 'select', options: Readonly<Record<string, Message>>];
export type Values = Readonly<Record<string, string | number>>;

/** The sentence of a message with these values. */
export function filled(message: Message, values: Values, locale: string, counted = 0): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : part === 0 ? written(counted, locale) : valueOf(part, values, locale))).join('');
}

function valueOf([name, kind, options]: Value, values: Values, locale: string): string {
  const value = values[name]!;
  if (!kind) return String(value);
  if (kind === 'number') return written(Number(value), locale, options);
  const branch = kind === 'select' ? String(value) : branchOf(Number(value), kind, options, locale);
  return filled(options[branch] ?? options.other!, values, locale, Number(value));
}

/** The branch of a plural: one for exactly this number, else by the rules of the language. */
function branchOf(count: number, kind: 'plural' | 'selectordinal', options: object, locale: string): string {
  const exact = `=${count}`;
  if (exact in options) return exact;
  return kept(`${locale} ${kind}`, () => new Intl.PluralRules(locale, { type: kind === 'plural' ? 'cardinal' : 'ordinal' })).select(count);
}

function written(count: number, locale: string, options?: Intl.NumberFormatOptions): string {
  return kept(`${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options)).format(count);
}

const made = new Map<string, unknown>();

/** To make a formatter takes longer than to use it. */
function kept<Made>(key: string, make: () => Made): Made {
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as Made;
}
