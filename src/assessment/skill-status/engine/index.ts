// What engines, of this service and of other capabilities, may use of the skill-status engine: pure functions and their types.
export { type ComprehensionLayer, compileComprehension } from './domains/comprehension.ts';
export type { StudentEvaluation } from './evaluate.ts';
export { isHalted } from './halted.ts';
export { type LayerAnswer, type LayerAnswers, type LayerName, layerNames } from './layer-answers.ts';
export {
  type CompPattern,
  type HaltAction,
  type HaltReason,
  isWeak,
  type NextDataAction,
  nextDataActions,
  orderedStatuses,
  type PacReason,
  type SkillStatus,
  skillStatuses,
  type TileStatus,
  tileValues,
} from './vocabulary.ts';
