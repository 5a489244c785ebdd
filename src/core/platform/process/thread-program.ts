// Locates the program of a thread: beside that of the process if this is a built program, else in the sources, with the loader.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const programs = process.env.PROGRAMS_FOLDER;
const repository = new URL('../../../../', import.meta.url).href;

/** Returns the code that a Worker evaluates; `entry` is a path in the repository: `workers/analysis/worker.ts`. */
export function threadProgram(entry: string): string {
  if (programs === undefined) {
    return `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL(entry, repository).href)});
});`;
  }
  const built = path.join(programs, entry.replace(/\.ts$/, '.mjs'));
  return `import(${JSON.stringify(pathToFileURL(built).href)})`;
}
