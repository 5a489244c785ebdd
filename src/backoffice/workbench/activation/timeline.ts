// The timeline for people: what was put in force by whom and why, what is scheduled, and how far recomputes are.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOvertaken, type Versions } from '#rules/rulesets/index.ts';
import type { EntryId } from './activate.ts';

interface EntryRow {
  /** `a12` for an activation, `s3` for a schedule. */
  readonly entryId: string;
  /** The two parts of the id: entries of one instant are ordered by their numbers. */
  readonly letter: string;
  readonly number: number;
  readonly bundleId: string | null;
  readonly activeFrom: string;
  readonly kind: 'install' | 'activate' | 'scheduled' | 'rollback';
  readonly reason: string;
  readonly by: number | null;
  readonly approvedBy: readonly number[];
  readonly createdAt: string;
  readonly state: 'active' | 'past' | 'scheduled' | 'refused' | 'withdrawn';
  readonly issue: string | null;
  readonly clockCorrected: boolean;
  readonly before: Versions | null;
  readonly after: Versions;
  readonly recompute: RecomputeProgress | null;
  readonly changeId: string | null;
  /** Of the change. */
  readonly title: string | null;
}

export interface RecomputeProgress {
  readonly organizations: number;
  readonly finished: number;
  readonly failed: number;
  readonly done: number;
  readonly total: number;
  /** Students who got another result, in the jobs that are done. */
  readonly changed: number;
}

/**
 * Schedules that came into force are left out, since their activation is listed. An activation that a fast clock dated into the
 * future is `scheduled` until its time comes or the next one overtakes it.
 */
const entries = `
  with activation as (
    select 'a' || a.id as entry_id, a.bundle_id, a.active_from, a.kind, a.reason, a.activated_by as by, a.approved_by,
      a.created_at, null::text as issue, a.id as activation_id, a.change_id,
      (select earlier.versions from rule_activation o join rule_bundle earlier on earlier.id = o.bundle_id
        where o.id < a.id and o.active_from <= a.active_from order by o.id desc limit 1) as before, b.versions as after,
      coalesce(lag(a.active_from) over (order by a.id) > a.active_from, false) as clock_corrected,
      case when ${isOvertaken} then 'past' when a.active_from > :now::timestamptz then 'scheduled'
        when a.id = max(a.id) filter (where a.active_from <= :now::timestamptz) over () then 'active' else 'past' end as state
    from rule_activation a join rule_bundle b on b.id = a.bundle_id),
  planned as (
    select 's' || s.id as entry_id, null::text as bundle_id, s.active_from, 'scheduled' as kind, s.reason,
      s.requested_by as by, s.approved_by, s.created_at, e.issue, null::bigint as activation_id, s.change_id,
      s.replaces as before, s.versions as after, false as clock_corrected, coalesce(e.outcome, 'scheduled') as state
    from rule_schedule s left join rule_schedule_end e on e.schedule_id = s.id
    where e.outcome is distinct from 'activated'),
  entry as (select * from activation union all select * from planned)
  select e.*, left(e.entry_id, 1) as letter, substr(e.entry_id, 2)::bigint as number,
    (select c.title from rule_change c where c.id = e.change_id) as title, (select case when count(*) = 0 then null else json_build_object('organizations', count(*),
      'finished', count(*) filter (where o.finished), 'failed', count(*) filter (where o.failed),
      'done', sum(o.done), 'total', sum(o.total), 'changed', sum(o.changed)) end
    from (select bool_and(j.state = 'done') as finished, bool_or(j.state = 'failed') as failed, sum(j.done) as done,
        sum(j.total) as total, sum(coalesce((j.report ->> 'changed')::integer, 0)) as changed
      from rule_job j where j.kind = 'recompute' and j.subject = e.activation_id::text
      group by j.organization_id) o) as recompute
  from entry e`;

/** Returns entries newest first, so that schedules stand before activations. */
export async function timelinePage(
  trx: Trx,
  { limit = defaultLimit, cursor }: PageQuery,
  now: Date,
): Promise<Page<ReturnType<typeof presentEntry>>> {
  const after = keyInCursor(cursor, ['instant', 'instant', 'string', 'number']);
  const rows = await rowsOf<EntryRow>(
    trx,
    `select * from (${entries}) e where :first
       or (e.active_from, e.created_at, e.letter, e.number) < (:from::timestamptz, :at::timestamptz, :letter, :number::bigint)
     order by e.active_from desc, e.created_at desc, e.letter desc, e.number desc limit :limit`,
    {
      first: after === undefined,
      from: String(after?.[0] ?? '-infinity'),
      at: String(after?.[1] ?? '-infinity'),
      letter: String(after?.[2] ?? ''),
      number: Number(after?.[3] ?? 0),
      limit: limit + 1,
      now: now.toISOString(),
    },
  );
  const key = ({ activeFrom, createdAt, letter, number }: EntryRow) => [activeFrom, createdAt, letter, number];
  return pageOf(rows, limit, key, presentEntry);
}

export async function timelineEntry(trx: Trx, id: EntryId, now: Date) {
  const entryId = 'activationId' in id ? `a${id.activationId}` : `s${id.scheduleId}`;
  const [row] = await rowsOf<EntryRow>(trx, `${entries} where e.entry_id = :entryId`, {
    entryId,
    now: now.toISOString(),
  });
  if (!row) throw notFound();
  return presentEntry(row);
}

const presentEntry = ({
  entryId,
  bundleId,
  activeFrom,
  kind,
  reason,
  state,
  issue,
  clockCorrected,
  ...row
}: EntryRow) => ({
  entryId,
  bundleId,
  activeFrom,
  state,
  kind,
  reason,
  issue,
  clockCorrected,
  activatedBy: row.by,
  approvedBy: [...row.approvedBy],
  changes: changesOf(row),
  changeId: row.changeId,
  title: row.title,
  recompute: row.recompute,
  createdAt: row.createdAt,
});

function changesOf({ before, after }: Pick<EntryRow, 'before' | 'after'>) {
  const was = new Map<string, number>(Object.entries(before ?? {}));
  return Object.entries(after)
    .filter(([name, version]) => was.get(name) !== version)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, to]) => {
      const [family = '', key = ''] = name.split('/');
      return { family, key, from: was.get(name) ?? null, to };
    });
}
