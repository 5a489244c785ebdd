// Reads the profile of a student, and earlier ones. Profiles are resolved with runs, not here.

import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type StudentInScope, User } from '#identity/people/index.ts';
import { type CatalogueDocument, schoolYearOf, windowAt } from '#rules/catalogue/index.ts';
import { teacherTextOf } from '../narratives/teacher-text.ts';
import { profilesInForce, versionsOf } from '../rules/compiled.ts';
import { type Known, knownOf, recommendedProfileOf } from './known.ts';
import { ProfileAssignment, type ProfileRow, profileDocuments } from './rows/row.ts';

/** For a student without a measurement in the school year, the versions are those in force. */
export async function readProfile(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { id: studentId, organizationId, timeZone } = student;
  const { rules } = await services.rules.at(trx, now);
  const { catalogue } = profilesInForce(rules);
  const { from: yearFrom } = schoolYearOf(now.toISOString(), timeZone, catalogue.schoolYearStart);
  const [known] = await knownOf(trx, organizationId, [{ studentId, yearFrom }]);
  if (!known) throw new RangeError('a student in scope is not known');
  const { profileCode, anchorDomainCode: domainCode } = recommendedProfileOf(known);
  const { season } = windowAt(student, { catalogue: rules.values<CatalogueDocument>('catalogue/subskills') }, now);
  const narrative = await teacherTextOf(trx, services, {
    ...{ profileCode, window: season, now },
    variables: { fullNameAr: await fullNameOf(trx, student), domainCode },
  });
  return { ...presentProfile(known, versionsOf(rules, profileDocuments)), narrative };
}

async function fullNameOf(trx: Trx, { id, organizationId }: StudentInScope): Promise<string> {
  const row: { fullNameAr: string | null } | undefined = await User.query(trx)
    .where({ organizationId, id })
    .select('fullNameAr')
    .first();
  return row?.fullNameAr ?? '';
}

function presentProfile(known: Known, inForce: Readonly<Record<string, number>>) {
  const { studentId, pending, stored } = known;
  const { anchorStatus: _status, ...profile } = recommendedProfileOf(known);
  return {
    studentId,
    profileId: stored?.profileId ?? null,
    ...profile,
    modifiers: [...profile.modifiers],
    runId: stored?.runId ?? null,
    pending,
    resolvedAt: stored?.resolvedAt ?? null,
    ruleVersions: { ...(stored?.ruleVersions ?? inForce) },
  };
}

/** Profiles of all school years, newest first. */
export async function listProfiles(
  trx: Trx,
  { id: studentId, organizationId }: StudentInScope,
  { limit = defaultLimit, cursor }: PageQuery,
): Promise<Page<ReturnType<typeof presentRow>>> {
  const query = ProfileAssignment.query(trx)
    .where({ organizationId, studentId })
    .orderBy('id', 'desc')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['number']);
  if (after) query.where('id', '<', after[0] ?? 0);
  const rows: ProfileRow[] = await query;
  return pageOf(rows, limit, ({ id }) => [id], presentRow);
}

const presentRow = (row: ProfileRow) => ({
  id: row.id,
  studentId: row.studentId,
  profileCode: row.profileCode,
  ruleId: row.ruleId,
  outcome: row.outcome,
  modifiers: [...row.modifiers],
  anchorRole: row.anchorRole,
  anchorSubSkillCode: row.anchorSubSkillCode,
  nextRecommendedDataAction: row.nextRecommendedDataAction,
  runId: row.runId,
  resolvedAt: row.resolvedAt,
  ruleVersions: { ...row.ruleVersions },
});
