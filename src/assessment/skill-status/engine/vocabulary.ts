// Enums of the skill-status pipeline: all values that its layers exchange with each other and with other code.

/** Worst to best. Only changes between two of these are an improvement or a decline. */
export const orderedStatuses = [
  'broad_weakness_related',
  'weak_gateway',
  'weak_domain_related',
  'weak_isolated',
  'monitor_gateway',
  'monitor',
  'adequate',
] as const;
/** These statuses describe the evidence, not the skill. */
const unorderedStatuses = ['cautionary_weakness_with_metadata', 'contextual_review'] as const;
export const skillStatuses = [...orderedStatuses, ...unorderedStatuses] as const;
export type SkillStatus = (typeof skillStatuses)[number];

export const responseCodes = [
  'VOID_NOT_ANALYSABLE',
  'NO_RESPONSE',
  'REPEAT_NOT_COUNTED',
  'CORRECT_WITH_SUPPORT',
  'CORRECT_SLOW',
  'CORRECT_SECURE',
  'ERROR_DESPITE_SUPPORT',
  'ERROR_PREREQUISITE',
  'ERROR_TARGET_PATTERN',
  'ERROR_ACCURACY_MARK',
  'ERROR_AFTER_EFFORT',
  'ERROR_UNSPECIFIC',
] as const;
export type ResponseCode = (typeof responseCodes)[number];

/** Responses with these codes are no evidence units. */
const unscoredCodes: readonly ResponseCode[] = ['VOID_NOT_ANALYSABLE', 'NO_RESPONSE', 'REPEAT_NOT_COUNTED'];

/** Codes of evidence units. Checks of code counts hold for them in every version of ADR. */
export const unitCodes: ReadonlySet<ResponseCode> = new Set(
  responseCodes.filter((code) => !unscoredCodes.includes(code)),
);

export const conflictStates = ['none', 'resolved_weight', 'resolved_tiebreak', 'unresolved'] as const;
export type ConflictState = (typeof conflictStates)[number];

export const conflictWinners = ['none', 'heavier', 'authoritative_else_newer'] as const;
export type ConflictWinner = (typeof conflictWinners)[number];

export const deficitBands = ['none', 'mild', 'marked', 'severe'] as const;
export type DeficitBand = (typeof deficitBands)[number];

/** Weakest to strongest. */
export const patternStates = ['none', 'single', 'linked', 'persistent'] as const;
export type PatternState = (typeof patternStates)[number];

export const pacDecisions = ['confirm', 'withhold', 'do_not_decide_yet'] as const;
export type PacDecision = (typeof pacDecisions)[number];

/** Reasons of GSR-01, the only ones for which a sub-skill has no status. */
export const haltReasons = ['NO_EVIDENCE', 'INSUFFICIENT_ITEMS', 'CONFLICTING_EVIDENCE'] as const;
export type HaltReason = (typeof haltReasons)[number];
export const decidedReasons = [
  'SUPPORTED_SUCCESS_ONLY',
  'SLOW_BUT_ACCURATE',
  'STRENGTH',
  'MILD_PATTERN',
  'MILD_UNPATTERNED',
  'SINGLE_SESSION_MARKED',
  'WEAKNESS_BEHAVIOUR',
  'WEAKNESS_PREREQUISITE',
  'WEAKNESS_PATTERN',
  'WEAKNESS_PLAIN',
] as const;
export type DecidedReason = (typeof decidedReasons)[number];
export type PacReason = HaltReason | DecidedReason;

export type Confidence = 'low' | 'medium' | 'high';
export type DecisionStrength = 'tentative' | 'moderate' | 'strong';

export const modifiers = ['ARABIC_ACCURACY_ONLY_MONITOR'] as const;
export type Modifier = (typeof modifiers)[number];

export const haltActions = ['run_diagnostic', 'administer_more_items', 'repeat_diagnostic', 'administer_orf'] as const;
/** What to measure next so that a halted sub-skill, domain or student can be decided. */
export type HaltAction = (typeof haltActions)[number];
/** What to measure or review next so that a comprehension difficulty can be explained. */
export const comprehensionActions = [
  'assess_comprehension',
  'assess_decoding',
  'assess_listening',
  'review_context',
  'repeat_diagnostic',
] as const;
export type ComprehensionAction = (typeof comprehensionActions)[number];
export type NextDataAction = HaltAction | ComprehensionAction;
export const nextDataActions: readonly NextDataAction[] = [...new Set([...haltActions, ...comprehensionActions])];

export const compPatterns = [
  'combined_dual_bottleneck',
  'decoding_bottleneck',
  'language_bottleneck',
  'text_strategy_bottleneck',
  'inconclusive_needs_more_data',
] as const;
export type CompPattern = (typeof compPatterns)[number];
export const routingHints = [
  'dual_track',
  'decode_first',
  'language_first',
  'text_strategies',
  'collect_more_data',
] as const;
/** `none`: comprehension gives no routing hint. */
export type CompRoutingHint = (typeof routingHints)[number] | 'none';
export type FactorState = 'weak' | 'ok' | 'unknown';

export const baseTileValues = ['Below', 'Contextual', 'Partial', 'Approaching', 'Meets'] as const;
export type BaseTileValue = (typeof baseTileValues)[number];
/** Worst first: the order by which domains are rolled up to tiles, and tiles to the overall picture. */
export const tileValues = ['Severe', ...baseTileValues] as const;
export type TileValue = (typeof tileValues)[number];
export type TileStatus = TileValue | 'Not_Assessed';

export const escalationPaths = ['A', 'B'] as const;
export type EscalationPath = (typeof escalationPaths)[number];
export type SeverePath = EscalationPath | 'AB';

const weakStatuses: ReadonlySet<SkillStatus> = new Set(orderedStatuses.slice(0, 4));

/** Returns whether a status is weak_isolated, weak_domain_related, weak_gateway or broad_weakness_related. */
export const isWeak = (status: SkillStatus): boolean => weakStatuses.has(status);
