// The scope of a packet, reached through its student.
import type { Actor, Scoped } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import {
  findOwnerInReach,
  type StudentInScope,
  staff,
  studentWriteErrors,
  teachersAndAdmins,
} from '#identity/people/index.ts';
import { DecisionPacket } from '../rows/store.ts';

type Reaching = Parameters<typeof findOwnerInReach>[2];

export interface ReachedPacket {
  readonly packet: DecisionPacket;
  readonly student: StudentInScope;
}

/** Throws NOT_FOUND, and PERMISSION_DENIED unless the caller has one of the `allowed` personas and reaches the student. */
export async function findPacketInReach(
  { trx, actor }: { readonly trx: Trx; readonly actor: Actor },
  id: string,
  allowed: Reaching,
): Promise<Scoped<ReachedPacket>> {
  const owner = DecisionPacket.query(trx).where({ id }).select('studentId').toKnexQuery();
  const [packet, { row: student, ...found }] = await Promise.all([
    DecisionPacket.query(trx).findOne({ id }),
    findOwnerInReach({ trx, actor }, owner, allowed),
  ]);
  if (!packet) throw notFound();
  return { ...found, row: { packet, student } };
}

const packetFor = (reach: string, allowed: Reaching): AppScope<ReachedPacket> => ({
  reach,
  writeErrors: studentWriteErrors,
  resolve: ({ trx, actor, params }) => findPacketInReach({ trx, actor }, params.id ?? '', allowed),
});

export const packetInReach = packetFor('S', staff);
export const packetToDecide = packetFor('S', teachersAndAdmins);
