// Explains an assignment: its frozen recommendation, replayed from the pinned input, and the profile of that time.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { BundleAssignment } from '../assignment-rows/store.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { ProfileAssignment } from '../profiles/rows/row.ts';
import { type FrozenRecommendation, replayRecommendation } from '../runs/replay-recommendation.ts';
import { decisionsOf, recommendationQuestions } from './decisions.ts';
import { explainProfile } from './explain-profile.ts';
import type { ExplainedAssignment } from './schemas.ts';

/** Returns undefined for a row that the caller cannot see. Uses the pinned rules only. */
export async function explainAssignment(
  reading: ReadTransaction,
  services: Services,
  id: string,
): Promise<ExplainedAssignment | undefined> {
  const row = await reading(async (trx) => BundleAssignment.query(trx).modify(inAnyOrganization).where({ id }).first());
  if (!row) return undefined;
  const { bundle, found, isSame } = await replayRecommendation(services.db, services.rules, frozenIn(row));
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
    ...reasonOf(await sentencesInForce(reading, services), 'BUNDLE', decisions, factCategories),
    profile: profileId === undefined ? null : ((await explainProfile(reading, services, profileId)) ?? null),
  };
}

/** The stored JSON was written from these types. */
const frozenIn = ({ facts, recommendation, ruleVersions }: BundleAssignment) =>
  ({ facts, recommendation, ruleVersions }) as unknown as FrozenRecommendation;

/** The profile that the student had at the activation. */
async function profileAt(
  trx: Trx,
  { organizationId, studentId, schoolYear, activatedAt }: BundleAssignment,
): Promise<number | undefined> {
  const row: { id: number } | undefined = await ProfileAssignment.query(trx)
    .where({ organizationId, studentId, schoolYear })
    .where('resolvedAt', '<=', activatedAt)
    .orderBy('id', 'desc')
    .select('id')
    .first();
  return row?.id;
}
