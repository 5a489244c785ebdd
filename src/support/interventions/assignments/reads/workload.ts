// The weekly workload of a class over all open assignments; paused and scheduled ones count, since they need their time as
// well.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ClassInScope } from '#identity/people/index.ts';
import { BundleAssignment } from '../../assignment-rows/store.ts';
import { workloadOf } from '../../engine/assignments/dosage.ts';
import { openStates } from '../../engine/vocabulary.ts';
import { interventionRules } from '../../rules/compiled.ts';
import type { WorkloadView } from './schemas.ts';

export async function classWorkload(
  { services, trx, now }: { readonly services: Services; readonly trx: Trx; readonly now: Date },
  { organizationId, id: classId, grade }: Pick<ClassInScope, 'organizationId' | 'id' | 'grade'>,
): Promise<Static<typeof WorkloadView>> {
  const { settings } = interventionRules((await services.rules.at(trx, now)).rules);
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId, classId })
    .whereIn('state', [...openStates])
    .select('bundleId', 'deliveryMode', 'sessionsPerWeek');
  const minutesOf = await sessionMinutes(services, trx, new Set(rows.map(({ bundleId }) => bundleId)), grade);
  const assignments = rows.map(({ bundleId, deliveryMode, sessionsPerWeek }) => ({
    ...{ bundle_id: bundleId, deliveryMode, sessionsPerWeek },
    sessionMinutes: minutesOf.get(bundleId) ?? null,
  }));
  const { instructionalMinutesPerWeek, plannedMinutesPerWeek, groups, overBy } = workloadOf(assignments, settings);
  const week = { instructionalMinutesPerWeek, plannedMinutesPerWeek };
  return { classId, ...week, groups: [...groups], overBy, asOf: now.toISOString() };
}

async function sessionMinutes(
  { capabilities }: Pick<Services, 'capabilities'>,
  trx: Trx,
  bundleIds: ReadonlySet<string>,
  grade: number,
): Promise<ReadonlyMap<string, number>> {
  const [reader] = capabilities.flatMap(({ blueprintMinutes: one }) => (one ? [one] : []));
  return reader && bundleIds.size > 0 ? reader(trx, [...bundleIds], grade) : new Map();
}
