// Assignments with derived fields, such as whether the repeated measure of their role is due.
import type { Static } from 'typebox';
import { newestProbes } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOpenAssignment } from '../../assignment-rows/queries.ts';
import type { BundleAssignment } from '../../assignment-rows/store.ts';
import { type Monitoring, measureOf, monitoringOf } from '../../engine/assignments/dosage.ts';
import type { RoleCode } from '../../engine/vocabulary.ts';
import { type InterventionRules, interventionRules } from '../../rules/compiled.ts';
import { studentTiersOf } from '../../situations/support-tiers.ts';
import { lastDays } from '../track.ts';
import { type Derived, presentAssignment } from './present.ts';
import type { AssignmentView } from './schemas.ts';

type View = Static<typeof AssignmentView>;

/**
 * The number of statements does not depend on the number of rows, which are of one organization. Throws ENGINE_UNAVAILABLE.
 */
export async function assignmentViews(
  services: Services,
  trx: Trx,
  rows: readonly BundleAssignment[],
  now: Date,
): Promise<View[]> {
  const derived = await derivedOfRows(services, trx, rows, now);
  return rows.map((row) => presentAssignment(row, derived(row)));
}

export async function assignmentView(services: Services, trx: Trx, row: BundleAssignment, now: Date): Promise<View> {
  const derived = await derivedOfRows(services, trx, [row], now);
  return presentAssignment(row, derived(row));
}

async function derivedOfRows(
  services: Services,
  trx: Trx,
  rows: readonly BundleAssignment[],
  now: Date,
): Promise<(row: BundleAssignment) => Derived> {
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const monitoring = await monitoringOfRows(services, trx, rows, now, rules);
  const endsOn = await lastDays(trx, rows, rules);
  return (row) => ({ monitoring: monitoring(row), endsOn: endsOn(row) });
}

type MonitoringOf = (row: BundleAssignment) => Monitoring | null;

async function monitoringOfRows(
  services: Services,
  trx: Trx,
  rows: readonly BundleAssignment[],
  now: Date,
  rules: InterventionRules,
): Promise<MonitoringOf> {
  const watched = rows.filter((row) => isOpenAssignment(row) && measureOf(measuredRole(row, rules)) !== null);
  const [first] = watched;
  if (!first) return () => null;
  const { organizationId } = first;
  const studentIds = [...new Set(watched.map(({ studentId }) => studentId))];
  const zones = await timeZones(trx, organizationId, watched);
  const probed = await newestProbes(trx, organizationId, 'ORF_WCPM', studentIds);
  const tierOf = await studentTiersOf(trx, services, organizationId, studentIds);
  const isWatched = new Set(watched.map(({ id }) => id));
  return (row) => {
    if (!isWatched.has(row.id)) return null;
    const { studentId, startOn } = row;
    const asOf = localDate(now, zones.get(row.classId) ?? 'UTC');
    const { tier } = tierOf(studentId);
    const question = { role: measuredRole(row, rules), tier, startOn, asOf };
    return monitoringOf({ ...question, probedOn: probed.get(studentId) ?? null }, rules.settings);
  };
}

/** The role of a bundle that has a repeated measure; for a bundle without roles the role that it was assigned for. */
export function measuredRole(
  { bundleId, anchorRole }: Pick<BundleAssignment, 'bundleId' | 'anchorRole'>,
  { recommendation }: Pick<InterventionRules, 'recommendation'>,
): RoleCode | null {
  const roles = recommendation.catalogue.byId.get(bundleId)?.roles ?? [];
  if (roles.length === 0) return anchorRole;
  return roles.find((role) => measureOf(role) !== null) ?? null;
}

/** IANA names of time zones by class. */
async function timeZones(trx: Trx, organizationId: string, rows: readonly BundleAssignment[]) {
  const found = await rowsOf<{ id: number; timeZone: string }>(
    trx,
    `select c.id, coalesce(s.time_zone, o.time_zone) as time_zone from class c
     join organization o on o.id = c.organization_id
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     where c.organization_id = :organizationId and c.id = any(:classIds::bigint[])`,
    { organizationId, classIds: [...new Set(rows.map(({ classId }) => classId))] },
  );
  return new Map(found.map(({ id, timeZone }) => [id, timeZone]));
}
