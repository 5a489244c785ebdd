// The present recommendation for a student, and the reasons for it. It is computed for each request; nothing is written.

import { evaluatedRuns } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import type { MeasuredRun } from '../engine/bundles/status-changes.ts';
import type { WhyQuestion } from '../engine/bundles/why.ts';
import { roleStatuses } from '../engine/profiles/role-status.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import type { RoleCode } from '../engine/vocabulary.ts';
import { recommendationOf } from '../situations/input.ts';
import { anchorMeasurements, type Situations, type StudentSituation, situationsOf } from '../situations/situations.ts';
import { presentRecommendation } from './present.ts';

export async function readRecommendation(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { situation, versions } = await oneSituation(services, trx, student, now);
  return {
    studentId: student.id,
    ...presentRecommendation(situation, versions),
    pending: situation.pending,
    asOf: now.toISOString(),
  };
}

export async function readReasons(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const found = await oneSituation(services, trx, student, now);
  const { situation, versions, rules } = found;
  const asked = await questionOf(services, trx, student, found);
  const { anchorSubSkillCode, anchorDomainCode } = situation.profile;
  return {
    studentId: student.id,
    because: rules.why.because(asked).map(({ fact, value, subSkillCode }) => ({
      ...{ fact, value, subSkillCode },
      domainCode: subSkillCode !== null && subSkillCode === anchorSubSkillCode ? anchorDomainCode : null,
      decidedAt: subSkillCode === null ? null : situation.anchorDecidedAt,
    })),
    notChosen: rules.why.notChosen(asked).map((one) => ({ ...one, from: one.from && [...one.from] })),
    asOf: now.toISOString(),
    ruleVersions: presentRecommendation(situation, versions).ruleVersions,
  };
}

/** Without facts and statuses before the first run. */
async function questionOf(
  services: Services,
  trx: Trx,
  student: StudentInScope,
  { situation, rules }: OneSituation,
): Promise<WhyQuestion> {
  const { newestRunId, profile, recommendation: found } = situation;
  const again = { db: trx, rules: services.rules };
  const runs = newestRunId === null ? [] : [newestRunId];
  const [run] = (await evaluatedRuns((work) => work(trx), again, student.organizationId, runs)).values();
  if (!run) return { profile: { ...profile, facts: null }, found, roleStatuses: new Map(), measured: null };
  const measured = profileRun(run.evaluation, run.contextReview);
  const { facts } = rules.profiles.resolve(run.grade, measured);
  const statuses = roleStatuses(rules.profiles.roles, run.grade, measured);
  return {
    profile: { ...profile, facts },
    found,
    roleStatuses: new Map(statuses.map(({ code, status }) => [code as RoleCode, status])),
    measured: {
      ...{ grade: run.grade, run: measured },
      recommendFor: await recommendFor(trx, student, { situation, rules }, Object.keys(measured.subSkills)),
    },
  };
}

/** What would be recommended for another profile; the measurements of its anchor are read only after a completed plan. */
async function recommendFor(
  trx: Trx,
  { id: studentId, organizationId }: StudentInScope,
  { situation, rules }: Pick<OneSituation, 'situation' | 'rules'>,
  subSkills: readonly string[],
): Promise<MeasuredRun['recommendFor']> {
  const { input, timeZone } = situation;
  const isAsked = input.assignments.some(({ state }) => state === 'completed');
  const anchors = isAsked ? subSkills.map((subSkillCode) => ({ studentId, subSkillCode, timeZone })) : [];
  const measuredOf = await anchorMeasurements(trx, organizationId, anchors, rules);
  return (profile) => {
    const measured = measuredOf({ studentId, subSkillCode: profile.anchorSubSkillCode ?? '' });
    return recommendationOf({ ...input, profile, ...measured }, rules);
  };
}

interface OneSituation extends Situations {
  readonly situation: StudentSituation;
}

async function oneSituation(
  services: Services,
  trx: Trx,
  { id, organizationId }: StudentInScope,
  now: Date,
): Promise<OneSituation> {
  const all = await situationsOf(trx, services, { organizationId, studentIds: [id], now });
  const situation = all.situations.get(id);
  if (!situation) throw notFound();
  return { ...all, situation };
}
