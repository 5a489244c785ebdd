// Engines are pure all the way down: whatever an engine loads, through any chain of imports, knows neither the database nor
// HTTP nor the queue. So it can be tested, bundled and given to a thread by itself.
import { loadedBy, type Sources } from './sources.ts';

/** Packages that no engine may reach. */
const impure =
  /^(?:node:(?:fs|net|http|https|worker_threads|child_process)|knex|objection|pg|express|bullmq|ioredis)(?:$|\/)/;

export const isEngine = (file: string): boolean => /^src\/.*\/engine\//.test(file);

/** One line for each engine file that reaches such a package, with the shortest way to it. */
export function purityFindings(sources: Sources): string[] {
  const loads = new Map([...sources].map(([file, text]) => [file, loadedBy(file, text)]));
  return [...sources.keys()].filter(isEngine).flatMap((file) => {
    const way = wayToImpure(file, loads);
    return way ? [`${file}: an engine reaches ${way.at(-1)}: ${way.join(' → ')}`] : [];
  });
}

/** Breadth first, so that the way is a shortest one. */
function wayToImpure(start: string, loads: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    if (impure.test(node)) return wayTo(node, cameFrom);
    for (const next of loads.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let node: string | undefined = end; node !== undefined; node = cameFrom.get(node)) way.unshift(node);
  return way;
}
