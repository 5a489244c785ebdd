// Forgetting a person: name, addresses, codes and links go; measurements stay under an id that names nobody.
import type { Trx } from '../platform/db.ts';
import { localDate } from '../platform/pure/calendar.ts';
import { Enrollment, ParentStudent, type StudentInScope } from '../tenancy/index.ts';
import { revokeAllOf } from './sessions.ts';
import { User } from './store.ts';

/** Cannot be undone. The student is then nobody's: every look-up by id answers NOT_FOUND. */
export async function eraseStudent(trx: Trx, student: StudentInScope, now: Date): Promise<void> {
  const { id } = student;
  await revokeAllOf(trx, id, 'erased', now);
  await trx('handoff_code').where({ userId: id }).delete();
  await trx('quick_code').where({ studentId: id }).delete();
  await trx('external_identity').where({ userId: id }).delete();
  await ParentStudent.query(trx).where({ studentId: id }).delete();
  await endEnrollment(trx, student, now);
  await User.query(trx).findById(id).patch({
    status: 'deleted',
    email: null,
    fullNameAr: null,
    passwordHash: null,
    externalId: null,
    locale: null,
  });
}

async function endEnrollment(trx: Trx, { id, timeZone }: StudentInScope, now: Date): Promise<void> {
  const open = await Enrollment.query(trx).findOne({ studentId: id }).whereNull('enrolledTo').forUpdate();
  if (!open) return;
  const today = localDate(now, timeZone);
  const enrolledTo = today > open.enrolledFrom ? today : open.enrolledFrom;
  await Enrollment.query(trx).findById(open.id).patch({ enrolledTo });
}
