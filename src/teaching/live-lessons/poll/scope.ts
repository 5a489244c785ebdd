// The scope of the poll: the teachers of the class and the students who have joined. Concurrent polls are checked in one batch
// with two statements.
import type { Actor, BatchedLookup, BatchedScope } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LiveColumns } from '../rows/live-lesson.ts';
import type { LiveVersion } from './snapshot.ts';

export interface PolledLive {
  readonly row: LiveColumns;
  readonly version: LiveVersion;
}

interface Membership {
  readonly teaches: boolean;
  readonly joined: boolean;
}

interface PollAccess extends Membership {
  readonly polled: PolledLive | undefined;
}

export const livePolled: BatchedScope<PollAccess, PolledLive> = {
  reach: 'T or joined',
  async findAll(trx, lookups) {
    const own = lookups.filter(isOfOrganization);
    const [lessons, memberships, anywhere] = await Promise.all([
      lessonsOf(trx, own),
      membershipsOf(trx, own),
      findForeign(trx, lookups),
    ]);
    const byKey = new Map(lessons.map((one) => [keyOf(one.row.organizationId, one.row.id), one]));
    const membership = new Map<BatchedLookup, Membership | undefined>(
      own.map((lookup, at) => [lookup, memberships[at]]),
    );
    return lookups.map((lookup) => {
      const id = lookup.params.id ?? '';
      const polled = isOfOrganization(lookup) ? byKey.get(keyOf(lookup.organizationId, id)) : anywhere.get(id);
      const { teaches = false, joined = false } = membership.get(lookup) ?? {};
      return { polled, teaches, joined };
    });
  },
  admit({ persona }: Actor, { polled, teaches, joined }) {
    if (!polled) throw notFound();
    if (persona === 'TEACHER' ? teaches : persona === 'STUDENT' && joined) return polled;
    throw denied('You neither teach this lesson nor have you joined it.');
  },
};

type Numbered = LiveColumns & { readonly newestSeq: number };
type OwnLookup = BatchedLookup & { readonly organizationId: string };

const isOfOrganization = (lookup: BatchedLookup): lookup is OwnLookup => lookup.organizationId !== null;

const keyOf = (organizationId: string, id: string): string => `${organizationId} ${id}`;

const newest = `(select coalesce(max(e.seq), 0) from live_event e where e.organization_id = s.organization_id
    and e.live_session_id = s.id and e.school_year = s.school_year) as newest_seq`;

/** Reads rows together with the number of their newest event, in one snapshot. */
async function lessonsOf(trx: Trx, lookups: readonly OwnLookup[]): Promise<PolledLive[]> {
  if (lookups.length === 0) return [];
  const rows = await rowsOf<Numbered>(
    trx,
    `select s.*, ${newest}
     from (select distinct * from unnest(:organizationIds::text[], :ids::text[])) a (organization_id, id)
       join live_session s on s.organization_id = a.organization_id and s.id = a.id`,
    { organizationIds: lookups.map(({ organizationId }) => organizationId), ids: lookups.map(idOf) },
  );
  return rows.map(polledOf);
}

const idOf = ({ params }: BatchedLookup): string => params.id ?? '';

const polledOf = ({ newestSeq, ...row }: Numbered): PolledLive => ({
  row,
  version: { controlVersion: row.controlVersion, seq: newestSeq },
});

/** Returns one entry per request, in order. */
const membershipsOf = (trx: Trx, lookups: readonly OwnLookup[]): Promise<Membership[]> =>
  rowsOf(
    trx,
    `select exists (select from class_teacher t where t.organization_id = a.organization_id
         and t.class_id = s.class_id and t.teacher_user_id = a.user_id) as teaches,
       exists (select from live_participant p where p.organization_id = a.organization_id
         and p.live_session_id = a.id and p.student_id = a.user_id)
       and exists (select from enrollment e where e.organization_id = a.organization_id and e.student_id = a.user_id
         and e.enrolled_to is null and e.class_id = s.class_id) as joined
     from unnest(:organizationIds::text[], :ids::text[], :userIds::bigint[]) with ordinality
         as a (organization_id, id, user_id, position)
       left join lateral (select l.class_id from live_session l
         where l.organization_id = a.organization_id and l.id = a.id) s on true
     order by a.position`,
    {
      organizationIds: lookups.map(({ organizationId }) => organizationId),
      ids: lookups.map(idOf),
      userIds: lookups.map(({ userId }) => userId),
    },
  );

/** Finds lessons for callers without an organization, who are never members: they get PERMISSION_DENIED or NOT_FOUND. */
async function findForeign(trx: Trx, lookups: readonly BatchedLookup[]): Promise<ReadonlyMap<string, PolledLive>> {
  const ids = lookups.filter((lookup) => !isOfOrganization(lookup)).map(idOf);
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<LiveColumns>(trx, 'select * from live_session where id = any (:ids::text[])', { ids });
  return new Map(rows.map((row) => [row.id, polledOf({ ...row, newestSeq: 0 })]));
}
