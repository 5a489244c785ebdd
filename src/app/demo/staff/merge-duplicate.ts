// A child who was entered a second time, because the name was typed otherwise, and whose two accounts were merged.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { enroll, type Organization, SchoolClass, User } from '#identity/people/index.ts';
import { mergeStudents } from '#support/student-merges/index.ts';
import { classes, studentKey } from '../engine/roster.ts';

/** The child, in the second class. */
const [classIndex, studentIndex] = [1, 3];

/** A name as people type it, with other letters of the same fold. */
const typedOtherwise = (name: string): string =>
  name.replaceAll(/[أإآ]/g, 'ا').replaceAll('ة', 'ه').replaceAll('ى', 'ي');

/** Continues an interrupted seeding: an account that was made is not made again, and one that was merged stays merged. */
export async function mergeDuplicate(
  services: Services,
  { id: organizationId }: Pick<Organization, 'id'>,
): Promise<void> {
  await inContext(services.db, { organizationId }, (trx) => enterAgain(trx, organizationId, services.clock.now()));
  await inContext(services.db, { organizationId }, (trx) => mergeBoth(trx, services, organizationId));
}

const childKey = studentKey(classIndex, studentIndex);
const accountsOf = (trx: Trx, organizationId: string) => ({
  child: () => User.query(trx).findOne({ organizationId, externalId: childKey }).throwIfNotFound(),
  again: () => User.query(trx).findOne({ organizationId, externalId: `${childKey}-again` }),
});

async function enterAgain(trx: Trx, organizationId: string, now: Date): Promise<void> {
  const accounts = accountsOf(trx, organizationId);
  if (await accounts.again()) return;
  const child = await accounts.child();
  const classRow = await SchoolClass.query(trx)
    .findOne({ organizationId, grade: classes[classIndex]?.grade ?? 0 })
    .whereNull('archivedAt')
    .throwIfNotFound();
  const { id } = await User.query(trx).insertAndFetch({
    ...{ organizationId, scope: 'ORGANIZATION', primaryPersona: 'STUDENT', externalId: `${childKey}-again` },
    fullNameAr: typedOtherwise(child.fullNameAr ?? ''),
    createdAt: now.toISOString(),
  });
  await enroll(trx, classRow, [id], now);
}

async function mergeBoth(trx: Trx, services: Services, organizationId: string): Promise<void> {
  const accounts = accountsOf(trx, organizationId);
  const [child, again] = [await accounts.child(), await accounts.again()];
  if (again?.status !== 'active') return;
  const administrator = await User.query(trx).findOne({ organizationId, primaryPersona: 'ADMIN' }).throwIfNotFound();
  await mergeStudents(trx, services, {
    ...{ organizationId, studentId: again.id, intoStudentId: child.id },
    ...{ reasonCode: 'duplicate_account', byUserId: administrator.id },
  });
}
