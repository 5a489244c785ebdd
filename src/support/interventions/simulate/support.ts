// The port of impact simulations: what rules would say of a student's profile, plan and group. Nothing here writes.

import type { RunEvidence, simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import type { Facts, Sides } from '#rules/rulesets/index.ts';
import { classMemberOf } from '../clustering/member.ts';
import type { Recommendation } from '../engine/bundles/recommend.ts';
import { minimumSizeOf } from '../engine/clustering/generation.ts';
import type { Placement } from '../engine/clustering/partition.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { recommendationInput, recommendationOf } from '../situations/input.ts';
import { loadParts, type Parts } from '../situations/parts.ts';

export type SupportParts = Parts;

/** Returns the input as of `asOf` except for the profile, for living students, by id. */
export async function supportParts(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'itemBanks'>,
  rules: InterventionRules,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<ReadonlyMap<number, SupportParts>> {
  const { organizationId, studentIds, asOf } = of;
  const parts = await loadParts(trx, services, { organizationId, studentIds, now: new Date(asOf) }, rules);
  return new Map(parts.map((one) => [one.enrollmentContext.studentId, one]));
}

export interface SupportAnswer {
  readonly profile: { readonly ruleId: string; readonly outcome: string; readonly facts: Facts };
  readonly bundle: { readonly ruleId: string; readonly outcome: string; readonly facts: Facts };
  /** The key of the group that the student would be in if it were large enough; null for a student in no group. */
  readonly clusterKey: string | null;
  /** The open plan that covers the need. */
  readonly coveredBy: string | null;
}

const noBundle = 'none';

/** `grade` of the class of today, as a recommendation asks it; the profile is that of the run's grade. */
export function supportAnswer(
  side: keyof Sides<unknown>,
  { grade, contextReview, evaluation, input: evidence }: simulation.EvaluatedResult,
  parts: SupportParts,
  rules: InterventionRules,
): SupportAnswer {
  const {
    facts,
    modifierFacts: _modifierFacts,
    modifierRuleIds: _ids,
    ...profile
  } = rules.profiles.resolve(grade, profileRun(evaluation[side], contextReview));
  const days = measuredIn(evidence[side], profile.anchorSubSkillCode, parts.enrollmentContext.timeZone);
  const measured = { contextReview, measuredOn: days[0] ?? null, measurements: days };
  const input = recommendationInput(parts, profile, measured, rules);
  const found = recommendationOf(input, rules);
  return {
    profile: { ruleId: profile.ruleId ?? '', outcome: profile.profileCode, facts: { ...facts } },
    bundle: { ruleId: found.ruleId, outcome: bundleOf(found), facts: found.facts },
    clusterKey: groupOf(rules.clusters.placementOf(classMemberOf(parts.enrollmentContext.studentId, input, found))),
    coveredBy: found.outcome === 'recommended' ? (found.covering?.assignmentId ?? null) : null,
  };
}

const groupOf = (placement: Placement): string | null =>
  placement.bucket === 'clusterable' ? placement.clusterKey : null;

const bundleOf = (found: Recommendation): string =>
  found.outcome === 'recommended' ? found.bundle.bundle_id : noBundle;

/** Groups smaller than this are none. */
export const smallestGroup = ({ enrollmentContext }: SupportParts, { settings }: InterventionRules): number =>
  minimumSizeOf(enrollmentContext.minClusterSize, null, settings);

/** Local dates of the two newest sessions with an answer to the sub-skill that counts, newest first. */
function measuredIn(
  { sessions, responses }: RunEvidence,
  subSkillCode: string | null,
  timeZone: string,
): readonly string[] {
  const counted = new Set(
    responses.flatMap((one) => (one.subSkillCode === subSkillCode && one.analysable ? [one.sessionId] : [])),
  );
  const ends = sessions.flatMap(({ sessionId, endedAt }) => (counted.has(sessionId) ? [endedAt] : []));
  const newest = ends.toSorted((one, other) => compare(other, one)).slice(0, 2);
  return newest.map((end) => localDate(new Date(end), timeZone));
}
