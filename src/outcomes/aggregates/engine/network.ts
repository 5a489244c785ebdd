// Everything that the shown counts still allow, as a network with a flow: the true counts are one flow, what hidden counts
// may be instead are the flows that can be reached from it by sending students around.
import type { Unit } from './units.ts';

const unbounded = 1 << 28;
const sink = 0;

export class Network {
  /** Arcs in pairs: one forth, the next back. */
  readonly #to: number[] = [];
  readonly #left: number[] = [];
  readonly #arcs: number[][] = [[]];
  readonly #nodes = new Map<Unit, number>();
  readonly #arcOf = new Map<Unit, (number | undefined)[]>();
  readonly #sent: { readonly arc: number; readonly amount: number }[] = [];
  #search?: Search;

  /** All units, those above before their parts. */
  constructor(units: readonly Unit[]) {
    for (const unit of units) {
      this.#nodes.set(unit, this.#arcs.length);
      this.#arcOf.set(unit, []);
      const ofUnit = unit.level === 'class' ? 1 : unit.counts.length;
      for (let node = 0; node < ofUnit; node++) this.#arcs.push([]);
    }
  }

  /** A hidden count is free from now on. */
  free(unit: Unit, place: number): void {
    const count = unit.counts[place] ?? 0;
    const [tail, head] = [this.#tail(unit, place), this.#head(unit, place)];
    const arc = this.#to.push(head, tail) - 2;
    this.#left.push(unbounded, count - (unit.atLeast[place] ?? 0));
    this.#arcs[tail]?.push(arc);
    this.#arcs[head]?.push(arc + 1);
    (this.#arcOf.get(unit) as (number | undefined)[])[place] = arc;
  }

  /** Between the largest and the smallest value that a hidden count may have; not looked for beyond `most`. */
  spread(unit: Unit, place: number, most: number): number {
    const arc = this.#arcOf.get(unit)?.[place];
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

  #tail(unit: Unit, place: number): number {
    const node = this.#nodes.get(unit) ?? sink;
    return unit.level === 'class' ? node : node + place;
  }

  /** Above the topmost unit nothing is known. */
  #head(unit: Unit, place: number): number {
    return unit.above && this.#nodes.has(unit.above) ? this.#tail(unit.above, place) : sink;
  }

  /** How much can be sent, at most `most`. What was sent is taken back. */
  #send(from: number, to: number, most: number): number {
    let total = 0;
    while (total < most) {
      const way = this.#way(from, to);
      if (way.length === 0) break;
      const amount = Math.min(most - total, ...way.map((arc) => this.#left[arc] ?? 0));
      for (const arc of way) this.#move(arc, amount);
      this.#sent.push(...way.map((arc) => ({ arc, amount })));
      total += amount;
    }
    for (const { arc, amount } of this.#sent.splice(0)) this.#move(arc, -amount);
    return total;
  }

  #move(arc: number, amount: number): void {
    this.#left[arc] = (this.#left[arc] ?? 0) - amount;
    this.#left[arc ^ 1] = (this.#left[arc ^ 1] ?? 0) + amount;
  }

  #way(from: number, to: number): number[] {
    this.#search ??= new Search(this.#to, this.#left, this.#arcs);
    return this.#search.between(from, to);
  }
}

/** Looks from both ends, so that an end from which little can be reached settles it. */
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

  /** Arcs of a way, or none where there is no way. */
  between(from: number, to: number): number[] {
    this.#turn += 1;
    const [start, goal] = this.#ends;
    start.begin(from, this.#turn);
    goal.begin(to, this.#turn);
    while (start.waiting > 0 && goal.waiting > 0) {
      const met = start.waiting <= goal.waiting ? this.#step(start, goal, 0) : this.#step(goal, start, 1);
      if (met !== undefined) return this.#wayThrough(met, from, to);
    }
    return [];
  }

  /** `back`: 1 where arcs are followed against their direction. Answers the node at which both ends have met. */
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

  #wayThrough(met: number, from: number, to: number): number[] {
    const [start, goal] = this.#ends;
    const way: number[] = [];
    for (let node = met; node !== from; ) {
      const arc = start.by[node] as number;
      way.push(arc);
      node = this.#to[arc ^ 1] as number;
    }
    for (let node = met; node !== to; ) {
      const arc = goal.by[node] as number;
      way.push(arc);
      node = this.#to[arc] as number;
    }
    return way;
  }
}

/** What was reached from one end: by which arc, and from where to look on. */
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
