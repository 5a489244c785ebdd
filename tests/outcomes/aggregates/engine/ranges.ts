// Derives from all published numbers of one statistic the smallest and the largest possible value of each count.

export interface Known {
  readonly bands: readonly string[];
  /** Null: no counts of the organization were published. */
  readonly organization: Row | undefined;
  readonly schools: readonly KnownSchool[];
}

export type Row = Readonly<Record<string, number | null>>;

export interface KnownSchool {
  readonly id: string;
  readonly row: Row;
  /** Parts whose sizes are known; a school of whose classes nothing is stated is its own only part. */
  readonly parts: readonly { readonly id: string; readonly size: number; readonly row: Row }[];
  /** Known from elsewhere: so many at least. */
  readonly atLeast: Readonly<Record<string, number>>;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

interface Pipe {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly name: string;
  flow: number;
}

/** By `unit/band`, the organization's unit empty. Undefined: nothing fits, so that something that was stated is not so. */
export function rangesOf(known: Known): ReadonlyMap<string, Range> | undefined {
  const { pipes, nodes } = pipesOf(known);
  if (!fill(pipes, nodes)) return undefined;
  const ranges = new Map<string, Range>();
  for (const pipe of pipes.filter(({ name }) => name.includes('/'))) {
    push(pipes, nodes, pipe, 1);
    const high = pipe.flow;
    push(pipes, nodes, pipe, -1);
    ranges.set(pipe.name, { low: pipe.flow, high });
  }
  return ranges;
}

/** Children run from their class through its bands to those of the school, those of the organization, and back to the start. */
function pipesOf({ bands, organization, schools }: Known) {
  const pipes: Pipe[] = [];
  let nodes = 1;
  const node = () => nodes++;
  const everybody = schools.flatMap(({ parts }) => parts).reduce((sum, { size }) => sum + size, 0);
  const lay = (from: number, to: number, name: string, shown: number | null | undefined, low = 0) => {
    const known = shown ?? null;
    pipes.push({ from, to, name, low: known ?? low, high: known ?? everybody, flow: 0 });
  };
  const ofBands = () => new Map(bands.map((band) => [band, node()] as const));
  const top = ofBands();
  for (const [band, at] of top) lay(at, 0, `/${band}`, organization?.[band]);
  for (const { id, row, parts, atLeast } of schools) {
    const school = ofBands();
    for (const [band, at] of school) lay(at, top.get(band) ?? 0, `${id}/${band}`, row[band], atLeast[band]);
    for (const part of parts) {
      const at = node();
      lay(0, at, part.id, part.size);
      for (const [band, to] of school) lay(at, to, `${part.id}/${band}`, part.row[band]);
    }
  }
  return { pipes, nodes };
}

/** Whether what flows can be made to fit: as long as a pipe carries too little, more is sent round through it. */
function fill(pipes: readonly Pipe[], nodes: number): boolean {
  for (const pipe of pipes) while (pipe.flow < pipe.low) if (!sendRound(pipes, nodes, pipe, 1)) return false;
  return pipes.every(({ flow, low, high }) => flow >= low && flow <= high);
}

function push(pipes: readonly Pipe[], nodes: number, pipe: Pipe, by: 1 | -1): void {
  const isAtEnd = () => pipe.flow === (by === 1 ? pipe.high : pipe.low);
  while (!isAtEnd() && sendRound(pipes, nodes, pipe, by));
}

/** One child more (or fewer) through a pipe, and back to where it came from through the others. */
function sendRound(pipes: readonly Pipe[], nodes: number, through: Pipe, by: 1 | -1): boolean {
  const [start, goal] = by === 1 ? [through.to, through.from] : [through.from, through.to];
  const cameBy = new Map<number, { readonly pipe: Pipe; readonly by: 1 | -1 }>();
  const seen = new Set([start]);
  const leaving = byNode(pipes, nodes);
  const waiting = [start];
  for (let at = waiting.shift(); at !== undefined && !seen.has(goal); at = waiting.shift())
    for (const pipe of leaving[at] ?? []) {
      if (pipe === through) continue;
      const forth = pipe.from === at;
      const next = forth ? pipe.to : pipe.from;
      const isFree = forth ? pipe.flow < pipe.high : pipe.flow > pipe.low;
      if (!isFree || seen.has(next)) continue;
      seen.add(next);
      cameBy.set(next, { pipe, by: forth ? 1 : -1 });
      waiting.push(next);
    }
  if (!seen.has(goal)) return false;
  for (let at = goal; at !== start; ) {
    const step = cameBy.get(at) as { readonly pipe: Pipe; readonly by: 1 | -1 };
    step.pipe.flow += step.by;
    at = step.by === 1 ? step.pipe.from : step.pipe.to;
  }
  through.flow += by;
  return true;
}

const layouts = new WeakMap<readonly Pipe[], Pipe[][]>();

function byNode(pipes: readonly Pipe[], nodes: number): readonly (readonly Pipe[])[] {
  const known = layouts.get(pipes);
  if (known) return known;
  const layout = Array.from({ length: nodes }, (): Pipe[] => []);
  for (const pipe of pipes) {
    layout[pipe.from]?.push(pipe);
    layout[pipe.to]?.push(pipe);
  }
  layouts.set(pipes, layout);
  return layout;
}
