// The daily evaluation of all students in a class: weeks have passed, dismissals have ended, events may have been lost. Afterwards
// the due days of open alerts are followed, also while a student is halted.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { announceExpiries } from '../alerts/expiries.ts';
import { dueAlerts } from '../due/alerts.ts';
import { followDueDays } from '../due/daily.ts';
import { evaluateAll } from './serve.ts';

/** Students in one statement. */
const pieceSize = 500;

/** When one student fails the others continue, and the day stays open. */
export async function evaluateOrganization(services: Services, organizationId: string): Promise<void> {
  const failures: unknown[] = [];
  for (let after = 0; ; ) {
    const piece = await studentsAfter(services, organizationId, after);
    await evaluateAll(services, organizationId, piece).catch((error: unknown) => failures.push(error));
    const last = piece.at(-1);
    if (last === undefined || piece.length < pieceSize) break;
    after = last;
  }
  await announceExpiries(services, organizationId).catch((error: unknown) => failures.push(error));
  await followDueDays(services, organizationId, dueAlerts).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Students in a class, or with an open alert after they have left. */
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
