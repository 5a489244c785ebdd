// Queries of packets: the list for deciders, and open packets of students.
import type { Knex } from 'knex';
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import type { PacketStatus, ReviewType } from '../../rti/index.ts';
import { DecisionPacket } from './store.ts';

export interface PacketFilter extends PageQuery {
  readonly status?: PacketStatus;
  readonly reviewType?: ReviewType;
  readonly classId?: number;
  readonly schoolId?: string;
}

/** Oldest first, for students whom the caller reaches today. Ids out of reach find nothing. */
export async function listPackets(
  trx: Trx,
  actor: Actor,
  { status, reviewType, classId, schoolId, limit = defaultLimit, cursor }: PacketFilter,
): Promise<Page<DecisionPacket>> {
  const query = DecisionPacket.query(trx)
    .orderBy(['openedAt', 'id'])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(opened_at, id) > (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  if (actor.organizationId !== null) query.where({ organizationId: actor.organizationId });
  if (status) query.where({ status });
  if (reviewType) query.where({ reviewType });
  if (classId !== undefined) query.whereExists(enrolled(trx).where('e.classId', classId));
  if (schoolId !== undefined) query.whereExists(withClass(trx).where('c.schoolId', schoolId));
  const reached = reachedBy(trx, actor);
  if (reached) query.whereExists(reached);
  return pageOf(
    await query,
    limit,
    ({ openedAt, id }) => [openedAt, id],
    (row) => row,
  );
}

/** The open enrollment of the packet's student. */
const enrolled = (trx: Trx): Knex.QueryBuilder =>
  trx('enrollment as e')
    .select(trx.raw('1'))
    .whereRaw('e.organization_id = decision_packet.organization_id and e.student_id = decision_packet.student_id')
    .whereNull('e.enrolledTo');

const withClass = (trx: Trx): Knex.QueryBuilder =>
  enrolled(trx).join('class as c', (on) => on.on('c.organizationId', 'e.organizationId').andOn('c.id', 'e.classId'));

/** Undefined: all that the transaction sees. */
function reachedBy(trx: Trx, { persona, userId }: Actor): Knex.QueryBuilder | undefined {
  if (persona === 'ADMIN') return undefined;
  if (persona === 'TEACHER') {
    return enrolled(trx)
      .join('class_teacher as t', (on) => on.on('t.organizationId', 'e.organizationId').andOn('t.classId', 'e.classId'))
      .where('t.teacherUserId', userId);
  }
  return withClass(trx)
    .join('principal_school as p', (on) =>
      on.on('p.organizationId', 'c.organizationId').andOn('p.schoolId', 'c.schoolId'),
    )
    .where('p.principalUserId', userId);
}

export const openPacketsOf = (trx: Trx, organizationId: string, studentId: number): Promise<DecisionPacket[]> =>
  DecisionPacket.query(trx)
    .where({ organizationId, studentId })
    .whereNull('closedAt')
    .orderBy(['openedAt', 'id'])
    .then((rows) => [...rows]);
