// Checks that engines are pure: what an engine loads, through any chain of imports, uses neither the database nor HTTP nor the
// queue, so that engines can be tested, bundled and run in threads without these.
import { loadedBy, type Sources } from './sources.ts';

/** Packages that no engine may reach. */
const impure =
  /^(?:node:(?:fs|net|http|https|worker_threads|child_process)|knex|objection|pg|express|bullmq|ioredis)(?:$|\/)/;

export const isEngine = (file: string): boolean => /^src\/.*\/engine\//.test(file);

/** Returns one line for each engine file that reaches such a package, with a shortest path to it. */
export function purityFindings(sources: Sources): string[] {
  const loads = new Map([...sources].map(([file, text]) => [file, loadedBy(file, text)]));
  return [...sources.keys()].filter(isEngine).flatMap((file) => {
    const path = pathToImpure(file, loads);
    return path ? [`${file}: an engine reaches ${path.at(-1)}: ${path.join(' → ')}`] : [];
  });
}

/** Searches breadth first, so that the path is a shortest one. */
function pathToImpure(start: string, loads: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    if (impure.test(node)) return pathTo(node, cameFrom);
    for (const next of loads.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return undefined;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = [];
  for (let node: string | undefined = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
}
