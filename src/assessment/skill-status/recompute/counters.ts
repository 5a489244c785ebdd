// Metrics of recomputes. A jump in the share of halted runs after an activation indicates a rule that is too strict.
// Counters are by grade over all organizations, so that they identify no person.
import { Counter } from 'prom-client';
import type { Metrics } from '#core/platform/process/metrics.ts';

interface RecomputeCounters {
  readonly failures: Counter;
  readonly parked: Counter;
  readonly runs: Counter<'grade' | 'halted'>;
}

const counters = new WeakMap<Metrics, RecomputeCounters>();

export function countersOf(metrics: Metrics): RecomputeCounters {
  const known = counters.get(metrics);
  if (known) return known;
  const registers = [metrics.registry];
  const made = {
    failures: new Counter({ name: 'recompute_failures_total', help: 'Recomputes that failed', registers }),
    parked: new Counter({ name: 'recompute_parked_total', help: 'Recomputes given up for now', registers }),
    runs: new Counter({
      name: 'recompute_runs_total',
      help: 'Runs with a new result; the halted share is that of halted="true"',
      labelNames: ['grade', 'halted'] as const,
      registers,
    }),
  };
  counters.set(metrics, made);
  return made;
}
