// Presents each sub-skill in scope to teachers: an allow-list, in catalogue order.
import type { SubSkill } from '#rules/catalogue/index.ts';
import type { CurrentSkill } from '../../results/queries.ts';
import { presentFrame, presentHalt, type ResultFrame } from './frame.ts';

export function presentSkillStatus(frame: ResultFrame, rows: readonly CurrentSkill[]) {
  const byCode = new Map(rows.map((row) => [row.subSkillCode, row]));
  const inScope = frame.catalogue.subSkills.filter(({ code, grades }) => byCode.has(code) || isOfGrade(grades, frame));
  return {
    ...presentFrame(frame),
    items: inScope.map((subSkill) => {
      const row = byCode.get(subSkill.code);
      return row ? presentSkill(subSkill, row) : presentUnseen(subSkill);
    }),
  };
}

const isOfGrade = (grades: readonly number[], { grade }: ResultFrame): boolean =>
  grade !== null && grades.includes(grade);

const nameOf = ({ code, domain, ar }: SubSkill) => ({ subSkillCode: code, domainCode: domain, nameAr: ar });

function presentSkill(subSkill: SubSkill, row: CurrentSkill) {
  const { distinctItems, sessionCount, rawRate, deficitBand } = row;
  return {
    snapshotId: row.id,
    ...nameOf(subSkill),
    status: row.status,
    outcome: row.outcome,
    reason: row.pacReason,
    confidence: row.confidence,
    decision_strength: row.decisionStrength,
    modifiers: [...row.modifiers],
    evidence: {
      distinctItems,
      sessionCount,
      rawDeficitRate: rawRate,
      deficitBand,
      calibrationProvisional: row.calibrationProvisional,
    },
    decidedAt: row.decidedAt,
    ruleId: row.ssrRuleId,
    ruleVersion: row.ruleVersion,
    ...presentHalt(row),
    ...(row.itemsNeeded !== null && { itemsNeeded: row.itemsNeeded }),
  };
}

const presentUnseen = (subSkill: SubSkill) => ({
  snapshotId: null,
  ...nameOf(subSkill),
  status: null,
  outcome: 'not_assessed' as const,
  reason: null,
  confidence: null,
  decision_strength: null,
  modifiers: [],
  evidence: {
    distinctItems: 0,
    sessionCount: 0,
    rawDeficitRate: null,
    deficitBand: null,
    calibrationProvisional: false,
  },
  decidedAt: null,
  ruleId: null,
  ruleVersion: null,
});
