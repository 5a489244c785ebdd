// From an evaluation to the rows that tell it: pure, so that a replay can make them again.

import { ruleStamp } from '../../rulesets/index.ts';
import type { Comprehension } from '../engine/domains/comprehension.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { countCodes } from '../engine/evidence/gather.ts';
import { newestUnitRef } from '../engine/skills/confirmation.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from '../engine/skills/status.ts';
import {
  type ComprehensionColumns,
  type DomainRow,
  globalTile,
  type RunRow,
  type RunTile,
  type SkillRow,
} from './tables.ts';

/** What rows of one run have in common. */
export type RunStamp = Pick<
  RunRow,
  'id' | 'organizationId' | 'studentId' | 'schoolYear' | 'asOf' | 'ruleVersions' | 'bundleId'
>;

/** What ADR said of each response, in the order of the run's input. */
export const codeColumns = ({ coded }: StudentEvaluation): Pick<RunRow, 'responseRuleIds' | 'responseCodes'> => ({
  responseRuleIds: coded.map(({ ruleId }) => ruleId),
  responseCodes: coded.map(({ code }) => code),
});

export const isEvaluated = (one: SubSkillEvaluation): one is EvaluatedSubSkill => one.outcome !== 'not_assessed';

/** Without their ids, which the database gives in the order of appending. */
export type SkillContent = Omit<SkillRow, 'id'>;
export type DomainContent = Omit<DomainRow, 'id'>;

/** One for each evaluated sub-skill. `provisional` tells which of them rest on thinly calibrated items. */
export function skillContents(
  stamp: RunStamp,
  { subSkills }: StudentEvaluation,
  provisional: ReadonlySet<string>,
): SkillContent[] {
  const ruleVersion = ruleStamp(stamp.ruleVersions, 'ssr');
  return subSkills.filter(isEvaluated).map((one) => ({
    ...ofStudent(stamp),
    subSkillCode: one.subSkill.code,
    ...decisionColumns(one),
    ...evidenceColumns(one),
    calibrationProvisional: provisional.has(one.subSkill.code),
    ruleVersion,
    bundleId: stamp.bundleId,
  }));
}

const ofStudent = ({ id, organizationId, studentId, schoolYear, asOf }: RunStamp) => ({
  organizationId,
  runId: id,
  studentId,
  schoolYear,
  decidedAt: asOf,
});

function decisionColumns(one: EvaluatedSubSkill) {
  const { confirmation, ssrRuleId, pacDecision, pacReason, outcome, modifiers } = one;
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  return {
    cisRuleId: confirmation.cisRuleId,
    pacRuleId: confirmation.pac.pacRuleId,
    ssrRuleId,
    pacDecision,
    pacReason,
    outcome,
    status: decided?.status ?? null,
    confidence: decided?.confidence ?? null,
    decisionStrength: decided?.decisionStrength ?? null,
    modifiers,
    nextDataAction: halted?.nextRecommendedDataAction ?? null,
    itemsNeeded: halted?.itemsNeeded ?? null,
  };
}

const evidenceColumns = ({ confirmation }: EvaluatedSubSkill) => ({
  facts: confirmation.facts,
  leadingMicroPattern: confirmation.leadingMicroPattern,
  codeCounts: countCodes(confirmation.evidence.responses),
  newestUnitRef: newestUnitRef(confirmation.evidence),
});

/** One for each domain of the catalogue. */
export function domainContents(stamp: RunStamp, { domains, comprehension }: StudentEvaluation): DomainContent[] {
  const ruleVersion = ruleStamp(stamp.ruleVersions, 'ddr');
  return domains.map((one) => ({
    ...ofStudent(stamp),
    domainCode: one.domain.code,
    ...domainColumns(one),
    ...comprehensionColumns(one.domain.code === 'RC' ? comprehension : null),
    ruleVersion,
    bundleId: stamp.bundleId,
  }));
}

function domainColumns(one: DomainEvaluation) {
  const decided = one.outcome === 'decided' ? one : null;
  const halted = one.outcome === 'do_not_decide_yet' ? one : null;
  return {
    ddrRuleId: one.ruleId,
    dsmRuleId: decided?.tile.dsmRuleId ?? null,
    outcome: one.outcome,
    status: decided?.status ?? null,
    reason: halted?.reason ?? null,
    nextDataAction: halted?.nextRecommendedDataAction ?? null,
    ...one.figures,
    tileValue: decided?.tile.value ?? null,
    severePath: decided?.tile.severePath ?? null,
    modifiers: decided?.modifiers ?? [],
  };
}

const comprehensionColumns = (comprehension: Comprehension | null): ComprehensionColumns => ({
  compRuleId: comprehension?.ruleId ?? null,
  compPattern: comprehension?.pattern ?? null,
  compRoutingHint: comprehension?.compRoutingHint ?? null,
  compDecodingState: comprehension?.decodingState ?? null,
  compLanguageState: comprehension?.languageState ?? null,
  compNextDataAction: comprehension?.nextRecommendedDataAction ?? null,
});

/** The six tiles and, last, the overall picture. */
export function tilesOf({ tiles, global }: StudentEvaluation): RunTile[] {
  const overall = { tileCode: globalTile, status: global.status, applicable: true, severePath: null };
  const rows = tiles.map(({ tile, status, applicable, severePath }) => {
    return { tileCode: tile.code, status, applicable, severePath };
  });
  return [...rows, overall];
}
