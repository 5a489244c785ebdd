// The row types of the engine's tables.

import type { Versions } from '#rules/rulesets/index.ts';
import type { EvidenceResponse, EvidenceSession } from '../../measurement/index.ts';
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
import type { domainOutcomes, skillOutcomes, TriggerKind } from './enums.ts';

/** The input of a run; with grade, context review and rule versions it determines the results. */
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
  readonly trigger: TriggerKind;
  readonly triggerRef: string | null;
  readonly asOf: string;
  readonly windowFrom: string;
  readonly windowTo: string;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly outcome: (typeof skillOutcomes)[number];
  readonly halted: boolean;
  readonly nextDataAction: HaltAction | null;
  /** Sub-skills that this run evaluated, including those in scope beyond the grade. */
  readonly evaluatedSubSkills: readonly string[];
  readonly input: RunInput;
  /** SHA-256 of the stored canonical text (`stored-input.ts`). */
  readonly inputHash: string;
  /** ADR rule ids, one per response, in the order of the run's input. */
  readonly responseRuleIds: readonly string[];
  /** ADR codes, in the order of `responseRuleIds`. */
  readonly responseCodes: readonly ResponseCode[];
  /** The six tiles and, last, the overall picture. */
  readonly tiles: readonly RunTile[];
  /** SHA-256 of the canonical text of all decisions of the run. */
  readonly resultHash: string;
  readonly bundleId: string;
  readonly ruleVersions: Versions;
  readonly createdAt: string;
}

/** A run without its input. */
export type RunHead = Omit<RunRow, 'input'>;

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
  readonly outcome: (typeof skillOutcomes)[number];
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
  /** `SSR@n`; the bundle gives the versions of the other layers. */
  readonly ruleVersion: string;
  readonly bundleId: string;
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
  readonly outcome: (typeof domainOutcomes)[number];
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
  /** `DDR@n`; the bundle gives the versions of the other layers. */
  readonly ruleVersion: string;
  readonly bundleId: string;
}

export interface RunTile {
  readonly tileCode: string;
  readonly status: TileStatus;
  readonly applicable: boolean;
  readonly severePath: SeverePath | null;
}

export const globalTile = 'GLOBAL' as const;
