// Where a thread finds its program: beside that of the process where this one runs as a built program, else it needs the
// loader too.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const programs = process.env.PROGRAMS_FOLDER;
const repository = new URL('../../../../', import.meta.url).href;

/** Text that a Worker evaluates; `entry` is a path in the repository: `workers/validation/worker.ts`. */
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
