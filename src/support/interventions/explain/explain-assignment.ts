// Why a bundle was given: the recommendation that was frozen with it, made again from what was pinned, and the profile that it
// was made for.
import type { Services } from '#core/module/services.ts';
import type { Reading, Trx } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { nearestChange } from '#rules/rulesets/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { BundleAssignment } from '../plans/store.ts';
import { type FrozenRecommendation, recommendationAgain } from '../runs/recommendations.ts';
import { decisionsOf, recommendationQuestions } from './asked.ts';
import { explainProfile } from './explain-profile.ts';
import type { ExplainedAssignment } from './schemas.ts';

/** Undefined for a row out of sight. Today's rules play no part. */
export async function explainAssignment(
  reading: Reading,
  services: Services,
  id: string,
): Promise<ExplainedAssignment | undefined> {
  const row = await reading(async (trx) => BundleAssignment.query(trx).modify(inAnyOrganization).where({ id }).first());
  if (!row) return undefined;
  const { bundle, found, isSame } = await recommendationAgain(services.db, services.rules, frozenIn(row));
  const decisions = decisionsOf(bundle, String(row.studentId), recommendationQuestions(found));
  const stored = row.recommendation as ExplainedAssignment['result'];
  const profileId = await reading((trx) => profileAt(trx, row));
  return {
    stampId: `assignment:${id}`,
    kind: 'assignment',
    organizationId: row.organizationId,
    studentId: row.studentId,
    asOf: row.activatedAt,
    ruleVersions: row.ruleVersions,
    result: { ...stored, bundle_id: row.bundleId },
    decisions,
    matchesStored: isSame,
    nearestChange: nearestChange(decisions[0], factCategories),
    profile: profileId === undefined ? null : ((await explainProfile(reading, services, profileId)) ?? null),
  };
}

/** What is stored as JSON was written from these types. */
const frozenIn = ({ facts, recommendation, ruleVersions }: BundleAssignment) =>
  ({ facts, recommendation, ruleVersions }) as unknown as FrozenRecommendation;

/** The profile that the student had when the bundle was given. */
async function profileAt(
  trx: Trx,
  { organizationId, studentId, schoolYear, activatedAt }: BundleAssignment,
): Promise<number | undefined> {
  const row: { id: number } | undefined = await trx('profile_assignment')
    .where({ organizationId, studentId, schoolYear })
    .where('resolvedAt', '<=', activatedAt)
    .orderBy('id', 'desc')
    .first('id');
  return row?.id;
}
