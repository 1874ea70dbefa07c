/// <reference types="svelte" />
/// <reference types="vite/client" />

type Stones = [number, number, number, number, number, number];

declare module 'virtual:tikal/data' {
  const data: {
    tiles: Record<string, ['temple' | 'treasure' | 'jungle' | 'volcano', number, Stones]>;
    boards: Record<string, Record<string, ['base' | 'jungle' | 'temple', number, Stones] | string>>;
    options: Record<
      string,
      {
        values: (string | number | boolean)[];
        edition?: boolean;
        variant?: boolean;
        needs?: string;
        excludes?: string[];
        refines?: string;
      }
    >;
    editions: Record<string, Record<string, string | boolean>>;
    levels: string[];
    usualLevel: string;
    seat: { workers: number; camps: number; guards: number };
  };
  export default data;
}

declare module 'virtual:tikal/rules' {
  const loaders: Record<string, () => Promise<Record<string, import('../rules-pages').Page>>>;
  export default loaders;
}
declare module 'virtual:tikal/languages' {
  export type Texts = Record<string, import('../catalogues').Message>;
  export type Words = Record<string, [one: string, other: string, kind?: string]>;
  export type Area = 'lessons' | 'rules' | 'coach' | 'cards' | 'keys' | 'games' | 'reason';
  export const names: Record<string, string>;
  export const speech: Record<string, () => Promise<{ texts: Texts; words: Words }>>;
  export const areas: Record<Area, Record<string, () => Promise<Texts>>>;
}
