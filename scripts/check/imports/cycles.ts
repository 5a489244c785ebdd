// Cycles of imports that the layers do not show, of values and of types: between files, and between the folders of one
// capability. Loose files of a capability are its base or its composition, and belong to no folder.
import path from 'node:path';
import { importsOf, loadedBy, type Sources } from './sources.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each cycle once, as a line. */
export function cycleFindings(sources: Sources): string[] {
  return [
    ...cyclesOf(fileGraph(sources)).map((files) => `imports in a circle: ${files.join(', ')}`),
    ...cyclesOf(roomGraph(sources)).map((rooms) => `rooms that know each other: ${rooms.join(', ')}`),
  ];
}

const fileGraph = (sources: Sources): Graph =>
  new Map([...sources].map(([file, text]) => [file, new Set(loadedBy(file, text))]));

function roomGraph(sources: Sources): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const own = roomOf(file);
    if (own === undefined) continue;
    const others = importsOf(file, text).flatMap((target) => roomOf(target) ?? []);
    const known = rooms.get(own) ?? new Set();
    for (const other of others) if (other !== own && folder(other) === folder(own)) known.add(other);
    rooms.set(own, known);
  }
  return rooms;
}

/** `src/identity/people/classes/queries.ts` → `src/identity/people/classes`; undefined for a loose file. */
const roomOf = (file: string): string | undefined => /^src\/[^/]+\/[^/]+\/[^/]+(?=\/)/.exec(file)?.[0];
const folder = (room: string): string => path.posix.dirname(room);

/** Sets of nodes that reach each other, each sorted. */
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
