// Finds cycles of imports that the layers do not show, of values and of types: between files, and between the folders of one
// capability. Files directly in a capability are its base or its composition, and belong to no folder.
import path from 'node:path';
import { importsOf, type Sources } from './sources.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns one line for each cycle. */
export function cycleFindings(sources: Sources): string[] {
  return [
    ...cyclesOf(fileGraph(sources)).map((files) => `imports in a cycle: ${files.join(', ')}`),
    ...cyclesOf(folderGraph(sources)).map((folders) => `folders that import each other: ${folders.join(', ')}`),
  ];
}

const fileGraph = (sources: Sources): Graph =>
  new Map([...sources].map(([file, text]) => [file, new Set(importsOf(file, text))]));

function folderGraph(sources: Sources): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const own = folderOfFile(file);
    if (own === undefined) continue;
    const others = importsOf(file, text).flatMap((target) => folderOfFile(target) ?? []);
    const known = folders.get(own) ?? new Set();
    for (const other of others) if (other !== own && parentOf(other) === parentOf(own)) known.add(other);
    folders.set(own, known);
  }
  return folders;
}

/**
 * Returns `src/identity/people/classes` for `src/identity/people/classes/queries.ts`; undefined for a file directly in a
 * capability.
 */
const folderOfFile = (file: string): string | undefined => /^src\/[^/]+\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0];
const parentOf = (inner: string): string => path.posix.dirname(inner);

/** Returns the sets of nodes that reach each other, each sorted. */
function cyclesOf(graph: Graph): string[][] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const found = new Map<string, string[]>();
  for (const [node, reached] of reachable) {
    if (!reached.has(node)) continue;
    const cycle = [...reached].filter((other) => reachable.get(other)?.has(node)).sort();
    found.set(cycle.join(' '), cycle);
  }
  return [...found.values()];
}

function reachedFrom(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    open.push(...(graph.get(node) ?? []));
  }
  return reached;
}
