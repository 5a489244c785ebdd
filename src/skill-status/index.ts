// What other capabilities may use of the skill-status engine.
export { isHalted } from './engine/halted.ts';
export { skillStatusWires } from './engine/wires.ts';
export { skillStatusExplainer } from './explain/explainer.ts';
export { behaviourExplainer, subFlagExplainer } from './explain-logs/explainer.ts';
export { skillStatusJobs } from './jobs.ts';
export type { OracleAnswer } from './oracle-evaluation.ts';
export { oracleAnswers } from './oracle-shadow.ts';
export { isEngineDocument, type RuleFamily, ruleFamilies } from './pipelines.ts';
export {
  type CurrentRun,
  type CurrentState,
  currentDomains,
  currentSkills,
  currentState,
  type StudentInYear,
} from './queries.ts';
export { readSkillStatusRules } from './read-rules.ts';
export { recomputeStudents } from './recompute.ts';
export * as rehearsal from './rehearsal.ts';
export { type Replay, replayRun } from './replay.ts';
export { type ReplayedRun, replayRuns } from './replay-runs.ts';
export { countRuns, type NumberedRun, newestRunSeq, nextRuns, type RunSelection } from './replay-selection.ts';
export { type RecomputeTrigger, requestRecomputes } from './requests.ts';
export { skillStatusRoutes } from './routes.ts';
export type { DomainRow, SkillRow, Trigger } from './tables.ts';
