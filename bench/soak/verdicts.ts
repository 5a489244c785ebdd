// The requirements of a soak (contract 23 §10): memory and handles that do not grow once the service has settled, an outbox
// that is emptied, and people who do not notice the hostile clients.
import { percentile } from '../harness/measure.ts';
import type { Row } from '../harness/report.ts';
import { type Counts, countsText, sumOf } from './counts.ts';
import type { Sample } from './watch.ts';

/** Contract 23 §10. */
const settledMinute = 8;
const mostMiBPerMinute = 1;
const mostGrowth = 1.1;
const mostOutboxSeconds = 5;
const mostDriftMiB = 30;
const mostP99Ms = 250;
/** The samples at each end that are compared: two minutes. */
const samplesOfEnd = 12;

export interface Verdict extends Row {
  readonly holds: boolean;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns the slope by least squares over the samples, in units of `value` per minute. */
export function slopeOf(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [minute, level] = [mean((one) => one.minute), mean(value)];
  const spread = mean((one) => (one.minute - minute) ** 2);
  return mean((one) => (one.minute - minute) * (value(one) - level)) / spread;
}

export function verdictsOf(samples: readonly Sample[], waits: readonly number[], others: Counts): Verdict[] {
  const settled = samples.filter(({ minute }) => minute >= settledMinute);
  // Without a database the metric is NaN, and people get 5xx.
  const outbox = Math.max(...samples.map(({ outboxSeconds }) => outboxSeconds).filter((age) => !Number.isNaN(age)));
  const p99 = percentile(waits, 0.99);
  const failed = sumOf(others, (status) => status >= 500);
  const refused = sumOf(others, (status) => status === 0 || (status >= 400 && status < 500));
  return [
    ...memoryOf('API', settled, ({ apiMiB }) => apiMiB),
    ...memoryOf('worker', settled, ({ workerMiB }) => workerMiB),
    growthOf('handles of the API', settled, ({ handles }) => handles),
    growthOf('connections to the database', settled, ({ connections }) => connections),
    verdict(
      'oldest row that waits in the outbox',
      `${outbox.toFixed(1)} s`,
      '≤ 5 s',
      outbox >= 0 && outbox <= mostOutboxSeconds,
    ),
    verdict('99 of 100 of the others', `${p99.toFixed(0)} ms`, '≤ 250 ms', p99 <= mostP99Ms),
    verdict('5xx to the others', String(failed), '0', failed === 0),
    verdict('refused or unanswered requests of the others', String(refused), '0', refused === 0),
  ];
}

const verdict = (contender: string, result: string, aim: string, holds: boolean): Verdict => ({
  contender,
  result: holds ? result : `${result}, FAILED`,
  aim,
  holds,
});

const notAssessed = (contender: string, aim: string): Verdict =>
  verdict(contender, `not assessed: too few samples after minute ${settledMinute}`, aim, true);

/**
 * Resident memory is a saw-tooth of garbage that has not been collected yet, so its trend is assessed: the slope, and how far it
 * leads within the settled time. The range of the minutes, which shows the teeth, is printed beside it.
 */
function memoryOf(name: string, settled: readonly Sample[], value: (sample: Sample) => number): Verdict[] {
  const [growth = '', drift = '', range = ''] = ['growth', 'drift', 'range of minutes'].map(
    (what) => `resident memory of the ${name}, ${what}`,
  );
  if (settled.length < 2 * samplesOfEnd) return [notAssessed(growth, '≤ 1 MiB/min'), notAssessed(drift, '± 30 MiB')];
  const slope = slopeOf(settled, value);
  const settledMinutes = (settled.at(-1)?.minute ?? 0) - (settled[0]?.minute ?? 0);
  const change = slope * settledMinutes;
  const minutes = [...new Set(settled.map(({ minute }) => Math.floor(minute)))];
  const levels = minutes.map((number) =>
    median(settled.filter(({ minute }) => Math.floor(minute) === number).map(value)),
  );
  return [
    verdict(growth, `${slope.toFixed(2)} MiB/min`, '≤ 1 MiB/min', slope <= mostMiBPerMinute),
    verdict(
      drift,
      `${change.toFixed(0)} MiB in ${settledMinutes.toFixed(0)} minutes`,
      '± 30 MiB',
      Math.abs(change) <= mostDriftMiB,
    ),
    verdict(range, `${Math.min(...levels)} to ${Math.max(...levels)} MiB`, '', true),
  ];
}

function growthOf(name: string, settled: readonly Sample[], value: (sample: Sample) => number): Verdict {
  if (settled.length < 2 * samplesOfEnd) return notAssessed(name, '+ 10 % at most');
  const [first, last] = [settled.slice(0, samplesOfEnd), settled.slice(-samplesOfEnd)].map((end) =>
    median(end.map(value)),
  );
  const [from = Number.NaN, to = Number.NaN] = [first, last];
  return verdict(
    name,
    `${from} at minute ${settledMinute}, ${to} at the end`,
    '+ 10 % at most',
    to <= from * mostGrowth,
  );
}

export const statusRows = (title: string, counts: Counts): Row[] =>
  Object.entries(counts).map(([name, own]) => ({ contender: `${title}, ${name}`, result: countsText(own) }));
