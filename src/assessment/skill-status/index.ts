// What other capabilities may use of the skill-status engine.

export { skillStatusCapability } from './capability.ts';
export * from './engine/index.ts';
export { explainRun } from './explain/explain-run.ts';
export { ExplainedResult } from './explain/schemas.ts';
export { classNeeds, classPlan } from './next-data/next-data.ts';
export { usualSessionMinutes } from './next-data/schemas.ts';
export { readDomainStatus, readSkillStatus } from './reads/current.ts';
export { countersOf as recomputeCounters } from './recompute/counters.ts';
export { macroUpdated } from './recompute/events.ts';
export { recomputeOn } from './recompute/jobs.ts';
export { countNewResults } from './recompute/new-results.ts';
export { recomputeStudents } from './recompute/recompute.ts';
export { freshWait, RecomputeRequest } from './recompute/requests.ts';
export { comparedAnswers } from './reference-engine/comparison.ts';
export type { ComparedAnswer } from './reference-engine/evaluation.ts';
export { EngineFallback, tablesOnFallback } from './reference-engine/fallback.ts';
export { replayRun } from './replay/replay.ts';
export { type ReplayedRun, replayRuns } from './replay/runs.ts';
export {
  countRuns,
  type NumberedRun,
  newestRunSeq,
  nextRuns,
  type ParsedRun,
  type RunCursor,
  type RunSelection,
  runsBySeq,
  withInput,
} from './replay/selection.ts';
export { type EvaluatedRun, evaluatedRuns } from './results/evaluated.ts';
export { SkillRun } from './results/models.ts';
export type { StudentYear } from './results/previous.ts';
export type { RunInput as RunEvidence } from './results/tables.ts';
export { isPending, pendingBindings } from './results/waiting.ts';
export { changesStatuses, ruleFamilies } from './rules/pipelines.ts';
export type { CompletedRun, RunProjection, RunReplayer, SoundRun } from './services.ts';
export * as simulation from './simulate/simulation.ts';
