// The daily recount by the calendar: open assignments are checked without a lock, and recounted where something has changed.

import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { BundleAssignment, interventionRules, openStates } from '../../interventions/index.ts';
import { countedColumns } from '../counting/facts.ts';
import { outdated } from '../counting/recount.ts';
import { CurrentFidelityCount } from '../counting/store.ts';
import { recountAssignments } from './serve.ts';

/** Assignments in one statement. */
const pieceSize = 500;

/** When one assignment fails the others continue, and the day stays open. */
export async function recountAll(services: Services, organizationId: string, now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    const { plans, last } = await pieceAfter(services, organizationId, after, now);
    await recountAssignments(services, organizationId, plans).catch((error: unknown) => failures.push(error));
    if (last === undefined) break;
    after = last;
  }
  if (failures.length > 0) throw failures[0];
}

/** Open assignments, and ended ones whose end was not counted; `last`: there may be more after it. */
async function pieceAfter(services: Services, organizationId: string, after: string, now: Date) {
  return inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const counted = CurrentFidelityCount.query(trx).where({ organizationId, open: true }).select('assignmentId');
    const rows = await BundleAssignment.query(trx)
      .where({ organizationId })
      .where('id', '>', after)
      .where((either) => either.whereIn('state', [...openStates]).orWhereIn('id', counted))
      .select(...countedColumns)
      .orderBy('id')
      .limit(pieceSize);
    const rules = interventionRules((await services.rules.at(trx, now)).rules);
    const plans = (await outdated(trx, rows, now, rules)).map(({ id, studentId }) => ({ assignmentId: id, studentId }));
    return { plans, last: rows.length < pieceSize ? undefined : rows.at(-1)?.id };
  });
}
