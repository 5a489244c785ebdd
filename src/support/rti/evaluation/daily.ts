// The daily look at every student in a class: weeks have gone by, dismissals have ended, and what a lost event has left behind
// is found.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { tellExpiries } from '../alerts/expiries.ts';
import { evaluateAll } from './serve.ts';

/** Students found in one statement. */
const pieceSize = 500;

/** One who fails keeps no other back, and the day is not done. */
export async function evaluateOrganization(services: Services, organizationId: string): Promise<void> {
  const failures: unknown[] = [];
  for (let after = 0; ; ) {
    const piece = await studentsAfter(services, organizationId, after);
    await evaluateAll(services, organizationId, piece).catch((error: unknown) => failures.push(error));
    const last = piece.at(-1);
    if (last === undefined || piece.length < pieceSize) break;
    after = last;
  }
  await tellExpiries(services, organizationId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** In a class, or with an alert that is not closed although they have left. */
async function studentsAfter({ db }: Services, organizationId: string, after: number): Promise<number[]> {
  const rows = await inReadOnlyContext(db, { organizationId }, (trx) =>
    rowsOf<{ studentId: number }>(
      trx,
      `select student_id from (
         select e.student_id from enrollment e
         where e.organization_id = :organizationId and e.enrolled_to is null and e.student_id > :after
         union select a.student_id from rti_alert a
         where a.organization_id = :organizationId and a.state <> 'closed' and a.student_id > :after) s
       order by student_id limit :pieceSize`,
      { organizationId, after, pieceSize },
    ),
  );
  return rows.map(({ studentId }) => studentId);
}
