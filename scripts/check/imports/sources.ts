// The sources whose imports are checked.
import fs from 'node:fs';
import path from 'node:path';
import type { Sources } from './findings.ts';

/** The file that an import names: `#core/http/route.ts` → `src/core/http/route.ts`. */
export const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}` : path.posix.join(path.posix.dirname(file), specifier);

/** Those of these folders under `root`. */
export function readSources(root: string, folders: readonly string[] = ['src', 'workers']): Sources {
  const files = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}
