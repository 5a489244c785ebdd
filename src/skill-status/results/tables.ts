// The rows of the engine's tables, as they are written and read again.

import type { EvidenceResponse, EvidenceSession } from '../../measurement/index.ts';
import type { Versions } from '../../rulesets/index.ts';
import type { SubSkillFacts } from '../engine/skills/confirmation.ts';
import type {
  CompPattern,
  CompRoutingHint,
  ComprehensionAction,
  Confidence,
  DecisionStrength,
  FactorState,
  HaltAction,
  HaltReason,
  Modifier,
  PacDecision,
  PacReason,
  ResponseCode,
  SeverePath,
  SkillStatus,
  TileStatus,
  TileValue,
} from '../engine/vocabulary.ts';

export const triggers = [
  'diagnostic_finished',
  'practice_completed',
  'orf_scored',
  'context_flag_changed',
  'grade_changed',
  'rule_activation',
  'admin',
] as const;
export type Trigger = (typeof triggers)[number];

/** What a run was made from; with grade, context review and rule versions it gives the same results for ever. */
export interface RunInput {
  readonly sessions: readonly EvidenceSession[];
  readonly responses: readonly EvidenceResponse[];
}

interface OfStudent {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
}

export interface RunRow extends OfStudent {
  readonly id: string;
  readonly trigger: Trigger;
  readonly triggerRef: string | null;
  readonly asOf: string;
  readonly windowFrom: string;
  readonly windowTo: string;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly outcome: 'decided' | 'do_not_decide_yet';
  readonly halted: boolean;
  readonly nextDataAction: HaltAction | null;
  /** Sub-skills that this run evaluated: those of them beyond the grade are in scope too. */
  readonly evaluatedSubSkills: readonly string[];
  readonly input: RunInput;
  readonly inputHash: string;
  /** Of the canonical text of everything that the run decided. */
  readonly resultHash: string;
  readonly bundleId: string;
  readonly ruleVersions: Versions;
  readonly createdAt: string;
}

export interface CodeRow {
  readonly organizationId: string;
  readonly runId: string;
  /** From 0, in the order of the run's input. */
  readonly position: number;
  /** `sessionId/itemId` */
  readonly responseRef: string;
  readonly subSkillCode: string;
  readonly ruleId: string;
  readonly code: ResponseCode;
  readonly ruleVersion: string;
}

export interface SkillRow extends OfStudent {
  readonly id: number;
  readonly runId: string;
  readonly subSkillCode: string;
  readonly decidedAt: string;
  readonly facts: SubSkillFacts;
  readonly cisRuleId: string;
  readonly pacRuleId: string;
  readonly ssrRuleId: string;
  readonly pacDecision: PacDecision;
  readonly pacReason: PacReason;
  readonly outcome: 'decided' | 'do_not_decide_yet';
  readonly status: SkillStatus | null;
  readonly confidence: Confidence | null;
  readonly decisionStrength: DecisionStrength | null;
  readonly modifiers: readonly Modifier[];
  readonly nextDataAction: HaltAction | null;
  readonly itemsNeeded: number | null;
  readonly leadingMicroPattern: string | null;
  readonly codeCounts: Partial<Record<ResponseCode, number>>;
  /** `sessionId/itemId` of the newest scored response. */
  readonly newestUnitRef: string | null;
  readonly calibrationProvisional: boolean;
  readonly ruleVersion: string;
  readonly ruleVersions: Versions;
}

/** Why comprehension is weak; on the row of domain RC only. */
export interface ComprehensionColumns {
  readonly compRuleId: string | null;
  readonly compPattern: CompPattern | null;
  readonly compRoutingHint: CompRoutingHint | null;
  readonly compDecodingState: FactorState | null;
  readonly compLanguageState: FactorState | null;
  readonly compNextDataAction: ComprehensionAction | null;
}

export interface DomainRow extends OfStudent, ComprehensionColumns {
  readonly id: number;
  readonly runId: string;
  readonly domainCode: string;
  readonly decidedAt: string;
  readonly ddrRuleId: string;
  readonly dsmRuleId: string | null;
  readonly outcome: 'decided' | 'do_not_decide_yet' | 'not_assessed' | 'not_in_scope';
  readonly status: SkillStatus | null;
  readonly reason: HaltReason | null;
  readonly nextDataAction: HaltAction | null;
  readonly inScope: number;
  readonly decided: number;
  readonly coverage: number;
  readonly coverageOk: boolean;
  readonly rawWeightedDeficitRate: number | null;
  readonly gatewaySeverity: number | null;
  readonly validEvidence: boolean;
  readonly tileValue: TileValue | null;
  readonly severePath: SeverePath | null;
  readonly modifiers: readonly Modifier[];
  readonly ruleVersions: Versions;
}

export interface TileRow {
  readonly organizationId: string;
  readonly runId: string;
  readonly tileCode: string;
  readonly status: TileStatus;
  readonly applicable: boolean;
  readonly severePath: SeverePath | null;
  readonly ruleVersions: Versions;
}

export const globalTile = 'GLOBAL' as const;
