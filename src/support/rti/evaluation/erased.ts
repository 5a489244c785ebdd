// Closes the alerts of students who were erased (ALT-13).

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { enrollmentContexts } from '../../interventions/index.ts';
import { closeAlert } from '../alerts/change.ts';
import { RtiAlert } from '../rows/alerts.ts';

interface ErasedStudents {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

export async function closeOfErased(trx: Trx, { organizationId, studentIds, now }: ErasedStudents): Promise<void> {
  if (studentIds.length === 0) return;
  const left = await RtiAlert.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .whereIn('state', ['open', 'dismissed'])
    .orderBy(['studentId', 'openedAt', 'id']);
  if (left.length === 0) return;
  const enrollments = await enrollmentContexts(trx, organizationId, studentIds, 'erased too');
  for (const row of left) {
    const timeZone = enrollments.find(({ studentId }) => studentId === row.studentId)?.timeZone ?? 'UTC';
    await closeAlert(trx, row, 'student_left', { now, today: localDate(now, timeZone) });
  }
}
