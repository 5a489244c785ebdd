// Named pseudo-random streams, equal on every machine: the only source of variety in the demo.
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Standard normal (Box & Muller 1958). */
  normal(): number;
  chance(probability: number): boolean;
  /** Throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T;
}

/** Returns the stream of a name. Streams are independent, so that one more draw in one does not change another. */
export function randomStream(name: string): Random {
  const next = smallFastCounter(sha256Hex(name));
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (probability) => next() < probability,
    pick(list) {
      const index = Math.floor(next() * list.length);
      if (index >= list.length) throw new RangeError('nothing to pick from');
      return list[index] as (typeof list)[number];
    },
  };
}

/** sfc32 of PractRand (Doty-Humphrey): 128 bits of state, here the first half of a SHA-256. */
function smallFastCounter(hex: string): () => number {
  let [a = 0, b = 0, c = 0, counter = 0] = [0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16) | 0);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
