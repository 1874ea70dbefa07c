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
    seat: { workers: number; camps: number; guards: number };
  };
  export default data;
}

declare module 'virtual:tikal/words/*' {
  const words: Record<string, [string, string]>;
  export default words;
}
