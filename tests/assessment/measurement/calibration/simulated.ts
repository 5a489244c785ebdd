// Simulated children who answer by the Rasch model, from a seed: equal on every machine.
import type { Sitting } from '#assessment/measurement/calibration/engine/responses.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';

/** Uniform on (0, 1). */
export function random(seed: number): () => number {
  const next = seededNumbers(seed);
  return () => next() + 1e-12;
}

/** Standard normal: Box and Muller. */
export const normal = (uniform: () => number): number =>
  Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());

export interface Population {
  readonly count: number;
  readonly mean: number;
  readonly sd: number;
  readonly group?: number;
}

/** Returns the next item among those not asked; undefined ends the sitting. */
export type Choose = (asked: readonly number[], correct: readonly boolean[]) => number | undefined;

/** `guess`: probability of a right answer by guessing, by item. */
export function simulate(
  { count, mean, sd, group = 0 }: Population,
  difficulties: readonly number[],
  seed: number,
  { choose, guess = () => 0 }: { choose?: () => Choose; guess?: (item: number) => number } = {},
): Sitting[] {
  const uniform = random(seed);
  const all: Choose = (asked) => (asked.length < difficulties.length ? asked.length : undefined);
  return Array.from({ length: count }, () => {
    const theta = mean + sd * normal(uniform);
    const next = choose?.() ?? all;
    const items: number[] = [];
    const correct: boolean[] = [];
    for (let item = next(items, correct); item !== undefined; item = next(items, correct)) {
      const knows = 1 / (1 + Math.exp((difficulties[item] ?? 0) - theta));
      const right = guess(item) + (1 - guess(item)) * knows;
      items.push(item);
      correct.push(uniform() < right);
    }
    return { group, items, correct };
  });
}
