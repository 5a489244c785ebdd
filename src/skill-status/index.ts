// What other capabilities may use of the skill-status engine.

export { skillStatusCapability } from './capability.ts';
export { isHalted } from './engine/halted.ts';
export { type LayerAnswer, type LayerAnswers, type LayerName, layerNames } from './engine/layer-answers.ts';
export {
  type CompPattern,
  compPatterns,
  type HaltAction,
  type HaltReason,
  isWeak,
  type NextDataAction,
  type PacReason,
  type SkillStatus,
  skillStatuses,
  type TileStatus,
  tileValues,
} from './engine/vocabulary.ts';
export { recomputeStudents } from './recompute/recompute.ts';
export { freshWait, type RecomputeTrigger, requestRecomputes } from './recompute/requests.ts';
export { comparedAnswers } from './reference-engine/comparison.ts';
export type { ComparedAnswer } from './reference-engine/evaluation.ts';
export { type Replay, replayRun } from './replay/replay.ts';
export { type Reading, type ReplayedRun, replayRuns } from './replay/runs.ts';
export {
  countRuns,
  type NumberedRun,
  newestRunSeq,
  nextSeqs,
  type RunSelection,
  runsBySeq,
} from './replay/selection.ts';
export {
  type CurrentRun,
  type CurrentState,
  currentDomains,
  currentSkills,
  currentState,
  type StudentInYear,
} from './results/queries.ts';
export type { DomainRow, SkillRow } from './results/tables.ts';
export type { Trigger } from './results/words.ts';
export { isEngineDocument, type RuleFamily, ruleFamilies } from './rules/pipelines.ts';
export * as simulation from './simulate/simulation.ts';
