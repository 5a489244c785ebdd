// The tables that the shown counts still allow, as a flow network: the true counts are one flow, and the possible
// values of suppressed counts are the flows that can be reached from it.
import type { Unit } from './units.ts';

const unbounded = 1 << 28;
const sink = 0;

export class Network {
  /** Arcs are in pairs: forward, then backward. */
  readonly #to: number[] = [];
  readonly #left: number[] = [];
  readonly #arcs: number[][] = [[]];
  readonly #nodes = new Map<Unit, number>();
  readonly #arcOf = new Map<Unit, (number | undefined)[]>();
  readonly #sent: { readonly arc: number; readonly amount: number }[] = [];
  #search?: Search;

  /** `units` lists parents before their parts. */
  constructor(units: readonly Unit[]) {
    for (const unit of units) {
      this.#nodes.set(unit, this.#arcs.length);
      this.#arcOf.set(unit, []);
      const ofUnit = unit.level === 'class' ? 1 : unit.counts.length;
      for (let node = 0; node < ofUnit; node++) this.#arcs.push([]);
    }
  }

  /** Adds an arc for a count that was suppressed. */
  free(unit: Unit, bandIndex: number): void {
    const count = unit.counts[bandIndex] ?? 0;
    const [tail, head] = [this.#tail(unit, bandIndex), this.#head(unit, bandIndex)];
    const arc = this.#to.push(head, tail) - 2;
    this.#left.push(unbounded, count - (unit.atLeast[bandIndex] ?? 0));
    this.#arcs[tail]?.push(arc);
    this.#arcs[head]?.push(arc + 1);
    (this.#arcOf.get(unit) as (number | undefined)[])[bandIndex] = arc;
  }

  /**
   * Returns the difference of the largest and the smallest possible value of a suppressed count; the search stops at
   * `most`.
   */
  spread(unit: Unit, bandIndex: number, most: number): number {
    const arc = this.#arcOf.get(unit)?.[bandIndex];
    if (arc === undefined) return 0;
    const [forth, back] = [this.#left[arc] ?? 0, this.#left[arc + 1] ?? 0];
    this.#left[arc] = 0;
    this.#left[arc + 1] = 0;
    const [tail, head] = [this.#to[arc + 1] ?? sink, this.#to[arc] ?? sink];
    const more = this.#send(head, tail, Math.min(most, forth));
    const fewer = this.#send(tail, head, Math.min(most - more, back));
    this.#left[arc] = forth;
    this.#left[arc + 1] = back;
    return more + fewer;
  }

  #tail(unit: Unit, bandIndex: number): number {
    const node = this.#nodes.get(unit) ?? sink;
    return unit.level === 'class' ? node : node + bandIndex;
  }

  /** Nothing is known above the topmost unit. */
  #head(unit: Unit, bandIndex: number): number {
    return unit.above && this.#nodes.has(unit.above) ? this.#tail(unit.above, bandIndex) : sink;
  }

  /** Returns how much flow can be sent, at most `most`, and restores the network. */
  #send(from: number, to: number, most: number): number {
    let total = 0;
    while (total < most) {
      const path = this.#path(from, to);
      if (path.length === 0) break;
      const amount = Math.min(most - total, ...path.map((arc) => this.#left[arc] ?? 0));
      for (const arc of path) this.#move(arc, amount);
      this.#sent.push(...path.map((arc) => ({ arc, amount })));
      total += amount;
    }
    for (const { arc, amount } of this.#sent.splice(0)) this.#move(arc, -amount);
    return total;
  }

  #move(arc: number, amount: number): void {
    this.#left[arc] = (this.#left[arc] ?? 0) - amount;
    this.#left[arc ^ 1] = (this.#left[arc ^ 1] ?? 0) + amount;
  }

  #path(from: number, to: number): number[] {
    this.#search ??= new Search(this.#to, this.#left, this.#arcs);
    return this.#search.between(from, to);
  }
}

/** Bidirectional breadth-first search: it stops as soon as one end is exhausted. */
class Search {
  readonly #to: readonly number[];
  readonly #left: readonly number[];
  readonly #arcs: readonly (readonly number[])[];
  readonly #ends: readonly [End, End];
  #turn = 0;

  constructor(to: readonly number[], left: readonly number[], arcs: readonly (readonly number[])[]) {
    this.#to = to;
    this.#left = left;
    this.#arcs = arcs;
    this.#ends = [new End(arcs.length), new End(arcs.length)];
  }

  /** Returns the arcs of a path, or an empty list when there is none. */
  between(from: number, to: number): number[] {
    this.#turn += 1;
    const [start, goal] = this.#ends;
    start.begin(from, this.#turn);
    goal.begin(to, this.#turn);
    while (start.waiting > 0 && goal.waiting > 0) {
      const met = start.waiting <= goal.waiting ? this.#step(start, goal, 0) : this.#step(goal, start, 1);
      if (met !== undefined) return this.#pathThrough(met, from, to);
    }
    return [];
  }

  /** `back`: 1 where arcs are followed against their direction. Returns the node at which both ends have met. */
  #step(end: End, other: End, back: 0 | 1): number | undefined {
    const node = end.next();
    for (const arc of this.#arcs[node] as readonly number[]) {
      if ((this.#left[arc ^ back] as number) === 0) continue;
      const reached = this.#to[arc] as number;
      if (end.seen[reached] === this.#turn) continue;
      end.add(reached, arc ^ back, this.#turn);
      if (other.seen[reached] === this.#turn) return reached;
    }
    return undefined;
  }

  #pathThrough(met: number, from: number, to: number): number[] {
    const [start, goal] = this.#ends;
    const path: number[] = [];
    for (let node = met; node !== from; ) {
      const arc = start.by[node] as number;
      path.push(arc);
      node = this.#to[arc ^ 1] as number;
    }
    for (let node = met; node !== to; ) {
      const arc = goal.by[node] as number;
      path.push(arc);
      node = this.#to[arc] as number;
    }
    return path;
  }
}

/** The nodes reached from one end, the arc that led to each, and the queue of nodes to expand. */
class End {
  readonly seen: Int32Array;
  readonly by: Int32Array;
  readonly #queue: Int32Array;
  #first = 0;
  #last = 0;

  constructor(nodes: number) {
    this.seen = new Int32Array(nodes);
    this.by = new Int32Array(nodes);
    this.#queue = new Int32Array(nodes);
  }

  get waiting(): number {
    return this.#last - this.#first;
  }

  begin(node: number, turn: number): void {
    this.#first = 0;
    this.#last = 0;
    this.add(node, -1, turn);
  }

  add(node: number, arc: number, turn: number): void {
    this.seen[node] = turn;
    this.by[node] = arc;
    this.#queue[this.#last++] = node;
  }

  next(): number {
    return this.#queue[this.#first++] as number;
  }
}
