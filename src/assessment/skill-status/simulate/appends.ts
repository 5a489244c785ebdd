// Counts the rows that would be appended under other rules, without a run.
import type { Comprehension } from '../engine/domains/comprehension.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { newestUnitRef } from '../engine/skills/confirmation.ts';
import type { EvaluatedSubSkill } from '../engine/skills/status.ts';
import { unitCodes } from '../engine/vocabulary.ts';
import { newDomains, newSkills, type SkillMark } from '../results/changes.ts';
import { domainContents, isEvaluated, type RunStamp, skillContents } from '../results/rows.ts';

/** Returns whether a sub-skill is evaluated that was not before; older rows of it may already have the result. */
export const hasNewSubSkill = (before: StudentEvaluation, after: StudentEvaluation): boolean => {
  const known = new Set(before.subSkills.filter(isEvaluated).map(({ subSkill }) => subSkill.code));
  return after.subSkills.some((one) => isEvaluated(one) && !known.has(one.subSkill.code));
};

/**
 * Returns the numbers of sub-skill and domain snapshots that would be appended when `after` replaces `before`.
 * `stored`: the newest rows of a student for whom `hasNewSubSkill` holds.
 */
export function appendedRows(
  before: StudentEvaluation,
  after: StudentEvaluation,
  stored: readonly SkillMark[] = [],
): { readonly skills: number; readonly domains: number } {
  const earlier = new Map(before.subSkills.filter(isEvaluated).map((one) => [one.subSkill.code, one]));
  const changing = after.subSkills.filter(isEvaluated).filter((one) => {
    const known = earlier.get(one.subSkill.code);
    return !known || !isAlike(one, known);
  });
  const skills =
    changing.length === 0
      ? []
      : newSkills(contentsOf(after, changing), [
          ...stored,
          ...contentsOf(
            before,
            changing.flatMap(({ subSkill }) => earlier.get(subSkill.code) ?? []),
          ),
        ]);
  const domainOf = new Map(changing.map(({ subSkill }) => [subSkill.code, subSkill.domain]));
  const touched = new Set(skills.map(({ subSkillCode }) => domainOf.get(subSkillCode) ?? ''));
  return { skills: skills.length, domains: appendedDomains(before, after, touched) };
}

const contentsOf = (evaluation: StudentEvaluation, subSkills: readonly EvaluatedSubSkill[]) =>
  skillContents(anyRun, { ...evaluation, subSkills }, noStudents);

/** A placeholder stamp; rows are compared by content only. */
const anyRun: RunStamp = {
  id: '',
  organizationId: '',
  studentId: 0,
  schoolYear: '',
  asOf: '',
  ruleVersions: {},
  bundleId: '',
};
const noStudents: ReadonlySet<string> = new Set();

/** Returns true only when the rows would be equal; it avoids building the rows of almost all sub-skills. */
const isAlike = (one: EvaluatedSubSkill, other: EvaluatedSubSkill): boolean =>
  isSameAnswer(one, other) &&
  isSameList(one.modifiers, other.modifiers) &&
  newestUnitRef(one.confirmation.evidence) === newestUnitRef(other.confirmation.evidence) &&
  unitsOf(one) === unitsOf(other);

/** Counts units by code, as in the comparison of rows. */
function unitsOf({ confirmation: { evidence } }: EvaluatedSubSkill): number {
  let units = 0;
  for (const { code } of evidence.responses) if (unitCodes.has(code)) units += 1;
  return units;
}

const isSameAnswer = (one: EvaluatedSubSkill, other: EvaluatedSubSkill): boolean =>
  one.outcome === 'decided' && other.outcome === 'decided'
    ? one.status === other.status &&
      one.confidence === other.confidence &&
      one.decisionStrength === other.decisionStrength
    : one.outcome === other.outcome;

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);

function appendedDomains(before: StudentEvaluation, after: StudentEvaluation, touched: ReadonlySet<string>): number {
  const earlier = new Map(before.domains.map((one) => [one.domain.code, one]));
  const changing = after.domains.filter((one) => {
    const known = earlier.get(one.domain.code);
    if (!known || touched.has(one.domain.code) || !isAlikeDomain(one, known)) return true;
    return one.domain.code === 'RC' && !isSameReason(before.comprehension, after.comprehension);
  });
  if (changing.length === 0) return 0;
  const codes = new Set(changing.map(({ domain }) => domain.code));
  const domains = before.domains.filter(({ domain }) => codes.has(domain.code));
  const now = domainContents(anyRun, { ...after, domains: changing });
  return newDomains(now, domainContents(anyRun, { ...before, domains }), touched).length;
}

const isAlikeDomain = (one: DomainEvaluation, other: DomainEvaluation): boolean =>
  one.figures.inScope === other.figures.inScope &&
  one.figures.decided === other.figures.decided &&
  (one.outcome === 'decided' && other.outcome === 'decided'
    ? one.status === other.status &&
      one.tile.severePath === other.tile.severePath &&
      isSameList(one.modifiers, other.modifiers)
    : one.outcome === other.outcome);

const isSameReason = (one: Comprehension, other: Comprehension): boolean =>
  one.ruleId === other.ruleId &&
  one.pattern === other.pattern &&
  one.compRoutingHint === other.compRoutingHint &&
  one.decodingState === other.decodingState &&
  one.languageState === other.languageState &&
  one.nextRecommendedDataAction === other.nextRecommendedDataAction;
