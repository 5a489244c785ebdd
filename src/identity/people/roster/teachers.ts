// Who teaches which class after a roster, many in one statement: one PRIMARY a class that has teachers.
import type { Trx } from '#core/platform/db.ts';

export interface Teaching {
  readonly classId: number;
  readonly teacherUserId: number;
  /** The main teacher of the class, whoever was so before. */
  readonly primary: boolean;
}

/** One PRIMARY a class. Teachers and classes are locked; none of them teaches the class yet. */
export async function attachTeachers(trx: Trx, organizationId: string, teachings: readonly Teaching[]): Promise<void> {
  if (teachings.length === 0) return;
  const classIds = [...new Set(teachings.map(({ classId }) => classId))];
  const primaries = trx('class_teacher').where({ organizationId, role: 'PRIMARY' });
  const led: { classId: number }[] = await primaries.clone().whereIn('classId', classIds).select('classId');
  const taken = new Set(led.map(({ classId }) => classId));
  const chosen = new Map<number, number>();
  for (const { classId, teacherUserId, primary } of teachings) {
    if (!chosen.has(classId) && (primary || !taken.has(classId))) chosen.set(classId, teacherUserId);
  }
  for (const { classId, teacherUserId, primary } of teachings) if (primary) chosen.set(classId, teacherUserId);
  const replaced = [...chosen.keys()].filter((classId) => taken.has(classId));
  if (replaced.length > 0) await primaries.clone().whereIn('classId', replaced).update({ role: 'SECONDARY' });
  await trx('class_teacher').insert(
    teachings.map(({ classId, teacherUserId }) => ({
      ...{ organizationId, classId, teacherUserId },
      role: chosen.get(classId) === teacherUserId ? 'PRIMARY' : 'SECONDARY',
    })),
  );
}

/** A class that loses its PRIMARY gets the one who has taught it longest. */
export async function detachTeachers(
  trx: Trx,
  organizationId: string,
  pairs: readonly Pick<Teaching, 'classId' | 'teacherUserId'>[],
): Promise<void> {
  if (pairs.length === 0) return;
  const keys = pairs.map(({ classId, teacherUserId }) => [classId, teacherUserId] as [number, number]);
  await trx('class_teacher').where({ organizationId }).whereIn(['classId', 'teacherUserId'], keys).delete();
  const classIds = [...new Set(pairs.map(({ classId }) => classId))];
  const heirs = trx('class_teacher')
    .where({ organizationId })
    .whereIn('classId', classIds)
    .groupBy('classId')
    .havingRaw("bool_and(role <> 'PRIMARY')")
    .select(trx.raw('min(position)'));
  await trx('class_teacher').where({ organizationId }).whereIn('position', heirs).update({ role: 'PRIMARY' });
}

interface FormerTeaching {
  readonly classId: number;
  readonly teacherUserId: number;
  /** The order of attachment, as it was. */
  readonly position: number;
}

/** Who has left a class comes again at the former place; whoever leads the class goes on to. Classes are locked. */
export async function returnTeachers(
  trx: Trx,
  organizationId: string,
  teachings: readonly FormerTeaching[],
): Promise<void> {
  if (teachings.length === 0) return;
  const rows = teachings.map((one) => ({ organizationId, role: 'SECONDARY', ...one }));
  await trx('class_teacher').insert(rows);
}

/** Makes them the main teachers of their classes. Whoever does not teach the class becomes nothing. Classes are locked. */
export async function leadClasses(
  trx: Trx,
  organizationId: string,
  leaders: readonly Pick<Teaching, 'classId' | 'teacherUserId'>[],
): Promise<void> {
  if (leaders.length === 0) return;
  const pairs = leaders.map(({ classId, teacherUserId }) => [classId, teacherUserId] as [number, number]);
  const second = trx('class_teacher').where({ organizationId, role: 'SECONDARY' });
  const rising = second.clone().whereIn(['classId', 'teacherUserId'], pairs);
  const classIds = (await rising.clone().select('classId')).map(({ classId }) => classId);
  if (classIds.length === 0) return;
  await trx('class_teacher')
    .where({ organizationId, role: 'PRIMARY' })
    .whereIn('classId', classIds)
    .update({ role: 'SECONDARY' });
  await rising.clone().update({ role: 'PRIMARY' });
}
