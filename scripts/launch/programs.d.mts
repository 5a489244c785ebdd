/** Returns the folder of the built programs, or of the built tests and programs. */
export function buildPrograms(kind: 'programs' | 'tests'): Promise<string>;
/** Returns the arguments of Node that run a TypeScript entry: its bundle, or the source if there is none. */
export function nodeArguments(folder: string, entry: string): string[];
