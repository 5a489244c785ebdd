// Side-by-side timing: the contenders alternate in every round, so that a busy machine slows all of them alike.
import os from 'node:os';

export interface Contender {
  readonly name: string;
  /** The operations of one call of `run`. */
  readonly operations: number;
  run(): unknown;
}

/** Returns the operation time of each contender in nanoseconds: the median over the rounds. */
export type Timings = ReadonlyMap<string, number>;

/** Runs each contender once to warm up, and then once a round. */
export async function sideBySide(contenders: readonly Contender[], rounds = 15): Promise<Timings> {
  const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (const { run } of contenders) await run();
  for (let round = 0; round < rounds; round++) {
    for (const { name, operations, run } of contenders) {
      const startedAt = process.hrtime.bigint();
      await run();
      samples.get(name)?.push(Number(process.hrtime.bigint() - startedAt) / operations);
    }
  }
  return new Map([...samples].map(([name, all]) => [name, percentile(all, 0.5)]));
}

/** Returns a quantile by the nearest rank; `share` is from 0 to 1. NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const machineLine = (): string => {
  const [load = 0] = os.loadavg();
  const model = os.cpus()[0]?.model ?? 'unknown processor';
  return `${os.availableParallelism()} cores (${model}), Node ${process.version}, load average at start ${load.toFixed(2)}`;
};

/** Throws Error if the outcomes differ, before anything is timed. */
export function assertEqual(contender: string, actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${contender} answers ${left?.slice(0, 300)} instead of ${right?.slice(0, 300)}`);
}
