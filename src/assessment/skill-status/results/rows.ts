// Converts an evaluation to rows. Pure, so that a replay can derive them again.

import { ruleStamp } from '#rules/rulesets/index.ts';
import type { Comprehension } from '../engine/domains/comprehension.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { countCodes } from '../engine/evidence/gather.ts';
import { newestUnitRef } from '../engine/skills/confirmation.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from '../engine/skills/status.ts';
import { type DomainRow, globalTile, type RunRow, type RunTile, type SkillRow } from './tables.ts';

/** Columns common to all rows of one run. */
export type RunStamp = Pick<
  RunRow,
  'id' | 'organizationId' | 'studentId' | 'schoolYear' | 'asOf' | 'ruleVersions' | 'bundleId'
>;

/** Returns the ADR rule and code of each response, in the order of the run's input. */
export const codeColumns = ({ coded }: StudentEvaluation): Pick<RunRow, 'responseRuleIds' | 'responseCodes'> => ({
  responseRuleIds: coded.map(({ ruleId }) => ruleId),
  responseCodes: coded.map(({ code }) => code),
});

export const isEvaluated = (one: SubSkillEvaluation): one is EvaluatedSubSkill => one.outcome !== 'not_assessed';

/** A row without its id, which the database assigns. */
export type SkillContent = Omit<SkillRow, 'id'>;
export type DomainContent = Omit<DomainRow, 'id'>;

/**
 * Returns one row per evaluated sub-skill. `provisional` contains those that rely on provisionally calibrated items.
 */
export function skillContents(
  stamp: RunStamp,
  { subSkills }: StudentEvaluation,
  provisional: ReadonlySet<string>,
): SkillContent[] {
  const ruleVersion = ruleStamp(stamp.ruleVersions, 'ssr');
  return subSkills
    .filter(isEvaluated)
    .map((one) => skillContent(stamp, one, provisional.has(one.subSkill.code), ruleVersion));
}

/** Written out as one object literal, which is many times faster than spreading several; millions of rows are built. */
function skillContent(
  stamp: RunStamp,
  one: EvaluatedSubSkill,
  calibrationProvisional: boolean,
  ruleVersion: string,
): SkillContent {
  const { confirmation } = one;
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  return {
    organizationId: stamp.organizationId,
    runId: stamp.id,
    studentId: stamp.studentId,
    schoolYear: stamp.schoolYear,
    decidedAt: stamp.asOf,
    subSkillCode: one.subSkill.code,
    cisRuleId: confirmation.cisRuleId,
    pacRuleId: confirmation.pac.pacRuleId,
    ssrRuleId: one.ssrRuleId,
    pacDecision: one.pacDecision,
    pacReason: one.pacReason,
    outcome: one.outcome,
    status: decided?.status ?? null,
    confidence: decided?.confidence ?? null,
    decisionStrength: decided?.decisionStrength ?? null,
    modifiers: one.modifiers,
    nextDataAction: halted?.nextRecommendedDataAction ?? null,
    itemsNeeded: halted?.itemsNeeded ?? null,
    facts: confirmation.facts,
    leadingMicroPattern: confirmation.leadingMicroPattern,
    codeCounts: countCodes(confirmation.evidence.responses),
    newestUnitRef: newestUnitRef(confirmation.evidence),
    calibrationProvisional,
    ruleVersion,
    bundleId: stamp.bundleId,
  };
}

/** Returns one row per domain of the catalogue. */
export function domainContents(stamp: RunStamp, { domains, comprehension }: StudentEvaluation): DomainContent[] {
  const ruleVersion = ruleStamp(stamp.ruleVersions, 'ddr');
  return domains.map((one) => domainContent(stamp, one, one.domain.code === 'RC' ? comprehension : null, ruleVersion));
}

function domainContent(
  stamp: RunStamp,
  one: DomainEvaluation,
  comprehension: Comprehension | null,
  ruleVersion: string,
): DomainContent {
  const { figures } = one;
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  return {
    organizationId: stamp.organizationId,
    runId: stamp.id,
    studentId: stamp.studentId,
    schoolYear: stamp.schoolYear,
    decidedAt: stamp.asOf,
    domainCode: one.domain.code,
    ddrRuleId: one.ruleId,
    dsmRuleId: decided?.tile.dsmRuleId ?? null,
    outcome: one.outcome,
    status: decided?.status ?? null,
    reason: halted?.reason ?? null,
    nextDataAction: halted?.nextRecommendedDataAction ?? null,
    inScope: figures.inScope,
    decided: figures.decided,
    coverage: figures.coverage,
    coverageOk: figures.coverageOk,
    rawWeightedDeficitRate: figures.rawWeightedDeficitRate,
    gatewaySeverity: figures.gatewaySeverity,
    validEvidence: figures.validEvidence,
    tileValue: decided?.tile.value ?? null,
    severePath: decided?.tile.severePath ?? null,
    modifiers: decided?.modifiers ?? [],
    compRuleId: comprehension?.ruleId ?? null,
    compPattern: comprehension?.pattern ?? null,
    compRoutingHint: comprehension?.compRoutingHint ?? null,
    compDecodingState: comprehension?.decodingState ?? null,
    compLanguageState: comprehension?.languageState ?? null,
    compNextDataAction: comprehension?.nextRecommendedDataAction ?? null,
    ruleVersion,
    bundleId: stamp.bundleId,
  };
}

/** Returns the six tiles and, last, the overall picture. */
export function runTilesOf({ tiles, global }: StudentEvaluation): RunTile[] {
  const overall = { tileCode: globalTile, status: global.status, applicable: true, severePath: null };
  const rows = tiles.map(({ tile, status, applicable, severePath }) => {
    return { tileCode: tile.code, status, applicable, severePath };
  });
  return [...rows, overall];
}
