// Metrics for operators: requests, and what capabilities register.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** Counts a reason chosen from an enum: `none_fits` shows its owner that a value is missing. */
  countReason(list: string, reason: string): void;
  /** Counts failed background work by kind and name: a schedule, a reaction to an event, a job of a queue. */
  countFailure(kind: 'schedule' | 'reaction' | 'job', name: string): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by operation',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const reasons = new Counter({
    name: 'closed_reason_total',
    help: 'Reasons chosen from closed lists',
    labelNames: ['list', 'reason'],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'background_failures_total',
    help: 'Background work that failed, by kind and name',
    labelNames: ['kind', 'name'],
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (operation, method, status, seconds) => requests.observe({ operation, method, status }, seconds),
    countReason: (list, reason) => reasons.inc({ list, reason }),
    countFailure: (kind, name) => failures.inc({ kind, name }),
  };
}
