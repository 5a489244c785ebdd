// Teachers of classes of a roster, many per statement. A class with teachers has exactly one PRIMARY.
import type { Trx } from '#core/platform/db.ts';
import { ClassTeacher } from '../records/organizations.ts';

export interface Teaching {
  readonly classId: number;
  readonly teacherUserId: number;
  /** True when the teacher becomes the PRIMARY, replacing the current one. */
  readonly primary: boolean;
}

/** Attaches teachers who do not teach the class yet. The caller holds the locks of teachers and classes. */
export async function attachTeachers(trx: Trx, organizationId: string, teachings: readonly Teaching[]): Promise<void> {
  if (teachings.length === 0) return;
  const classIds = [...new Set(teachings.map(({ classId }) => classId))];
  const primaries = ClassTeacher.query(trx).where({ organizationId, role: 'PRIMARY' });
  const withPrimary: { classId: number }[] = await primaries.clone().whereIn('classId', classIds).select('classId');
  const taken = new Set(withPrimary.map(({ classId }) => classId));
  const chosen = new Map<number, number>();
  for (const { classId, teacherUserId, primary } of teachings) {
    if (!chosen.has(classId) && (primary || !taken.has(classId))) chosen.set(classId, teacherUserId);
  }
  for (const { classId, teacherUserId, primary } of teachings) if (primary) chosen.set(classId, teacherUserId);
  const replaced = [...chosen.keys()].filter((classId) => taken.has(classId));
  if (replaced.length > 0) await primaries.clone().whereIn('classId', replaced).update({ role: 'SECONDARY' });
  await ClassTeacher.query(trx).insert(
    teachings.map(({ classId, teacherUserId }) => ({
      organizationId,
      classId,
      teacherUserId,
      role: chosen.get(classId) === teacherUserId ? ('PRIMARY' as const) : ('SECONDARY' as const),
    })),
  );
}

/** Detaches teachers. In a class that loses its PRIMARY, the teacher attached first becomes PRIMARY. */
export async function detachTeachers(
  trx: Trx,
  organizationId: string,
  pairs: readonly Pick<Teaching, 'classId' | 'teacherUserId'>[],
): Promise<void> {
  if (pairs.length === 0) return;
  const keys = pairs.map(({ classId, teacherUserId }) => [classId, teacherUserId] as [number, number]);
  await ClassTeacher.query(trx).where({ organizationId }).whereIn(['classId', 'teacherUserId'], keys).delete();
  const classIds = [...new Set(pairs.map(({ classId }) => classId))];
  const successors = ClassTeacher.query(trx)
    .where({ organizationId })
    .whereIn('classId', classIds)
    .groupBy('classId')
    .havingRaw("bool_and(role <> 'PRIMARY')")
    .select(trx.raw('min(position)'));
  await ClassTeacher.query(trx).where({ organizationId }).whereIn('position', successors).update({ role: 'PRIMARY' });
}

interface FormerTeaching {
  readonly classId: number;
  readonly teacherUserId: number;
  /** The former position in the order of attachment. */
  readonly position: number;
}

/** Attaches former teachers at their former position, as SECONDARY. The caller holds the locks of the classes. */
export async function reattachTeachers(
  trx: Trx,
  organizationId: string,
  teachings: readonly FormerTeaching[],
): Promise<void> {
  if (teachings.length === 0) return;
  const rows = teachings.map((one) => ({ organizationId, role: 'SECONDARY' as const, ...one }));
  await ClassTeacher.query(trx).insert(rows);
}

/** Makes SECONDARY teachers the PRIMARY of their class; others are ignored. The caller holds the locks of the classes. */
export async function promoteToPrimary(
  trx: Trx,
  organizationId: string,
  primaries: readonly Pick<Teaching, 'classId' | 'teacherUserId'>[],
): Promise<void> {
  if (primaries.length === 0) return;
  const pairs = primaries.map(({ classId, teacherUserId }) => [classId, teacherUserId] as [number, number]);
  const second = ClassTeacher.query(trx).where({ organizationId, role: 'SECONDARY' });
  const promoted = second.clone().whereIn(['classId', 'teacherUserId'], pairs);
  const classIds = (await promoted.clone().select('classId')).map(({ classId }) => classId);
  if (classIds.length === 0) return;
  await ClassTeacher.query(trx)
    .where({ organizationId, role: 'PRIMARY' })
    .whereIn('classId', classIds)
    .update({ role: 'SECONDARY' });
  await promoted.clone().update({ role: 'PRIMARY' });
}
