// Presents stored rows: an allow-list for each kind of row.
import type { DomainRow, RunRow, RunTile, SkillRow } from '../results/tables.ts';
import type { DomainResult, RunResult, SkillResult, TileResult } from './result-schemas.ts';

export const skillResult = (row: SkillRow): SkillResult => ({
  subSkillCode: row.subSkillCode,
  decidedAt: row.decidedAt,
  outcome: row.outcome,
  status: row.status,
  decision: row.pacDecision,
  reason: row.pacReason,
  confidence: row.confidence,
  decision_strength: row.decisionStrength,
  modifiers: row.modifiers,
  nextRecommendedDataAction: row.nextDataAction,
  itemsNeeded: row.itemsNeeded,
  rules: { cis: row.cisRuleId, pac: row.pacRuleId, ssr: row.ssrRuleId },
  facts: row.facts,
  leadingMicroPattern: row.leadingMicroPattern,
  codeCounts: { ...row.codeCounts },
  newestResponseRef: row.newestUnitRef,
  calibrationProvisional: row.calibrationProvisional,
});

export const domainResult = (row: DomainRow): DomainResult => ({
  domainCode: row.domainCode,
  decidedAt: row.decidedAt,
  outcome: row.outcome,
  status: row.status,
  reason: row.reason,
  nextRecommendedDataAction: row.nextDataAction,
  rules: { ddr: row.ddrRuleId, dsm: row.dsmRuleId },
  inScope: row.inScope,
  decided: row.decided,
  coverage: row.coverage,
  coverageOk: row.coverageOk,
  rawWeightedDeficitRate: row.rawWeightedDeficitRate,
  gatewaySeverity: row.gatewaySeverity,
  validEvidence: row.validEvidence,
  tileValue: row.tileValue,
  severePath: row.severePath,
  modifiers: row.modifiers,
  comprehension: comprehensionOf(row),
});

/** Only the row of reading comprehension has a routing hint; it always has one. */
function comprehensionOf(row: DomainRow): DomainResult['comprehension'] {
  if (row.compRoutingHint === null) return null;
  return {
    ruleId: row.compRuleId,
    pattern: row.compPattern,
    compRoutingHint: row.compRoutingHint,
    decodingState: row.compDecodingState,
    languageState: row.compLanguageState,
    nextRecommendedDataAction: row.compNextDataAction,
  };
}

export const tileResult = ({ tileCode, status, applicable, severePath }: RunTile): TileResult => ({
  tileCode,
  status,
  applicable,
  severePath,
});

export const runResult = (row: RunRow, globalStatus: RunResult['globalStatus']): RunResult => ({
  trigger: row.trigger,
  triggerRef: row.triggerRef,
  windowFrom: row.windowFrom,
  windowTo: row.windowTo,
  grade: row.grade,
  contextReview: row.contextReview,
  outcome: row.outcome,
  halted: row.halted,
  nextRecommendedDataAction: row.nextDataAction,
  evaluatedSubSkills: row.evaluatedSubSkills,
  globalStatus,
  inputHash: row.inputHash,
  resultHash: row.resultHash,
});
