// Random choices that a seed repeats.

export interface Random {
  /** 0 ≤ integer < bound */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** mulberry32: 32 bits of state, good enough to vary requests. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('nothing to pick from');
      return choices[below(choices.length)] as T;
    },
  };
}
