// Random choices that can be repeated with a seed.
import { seededNumbers } from '#core/platform/pure/random.ts';

export interface Random {
  /** 0 ≤ integer < bound */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  const next = seededNumbers(seed);
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('nothing to pick from');
      return choices[below(choices.length)] as T;
    },
  };
}
