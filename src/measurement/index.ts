// What other capabilities may use of measurement.
export { loadRecord, type SessionRecord } from './diagnostics/store.ts';
export { workedSession } from './diagnostics/worked.ts';
export { benchmarksOf, resolveBenchmark } from './fluency/engine/benchmark.ts';
export { trendExplainer } from './fluency/explain/explain-trend.ts';
export { type ScoredReading, scoredOrf } from './fluency/queries.ts';
export { readMeasurementRules } from './read-rules.ts';
export { type ItemBanks, itemBanks } from './rules.ts';
export type { RequestServices, WorkedSession } from './services.ts';
