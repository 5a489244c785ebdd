// Reads impacts and replays of all organizations.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import { type JobRow, type JobState, jobStates } from '#core/long-jobs/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ImpactScope } from '../impact/input.ts';
import { type ListedKind, listedKinds, subjectOfJob } from './subject.ts';

export interface JobQuery extends PageQuery {
  readonly kind?: ListedKind;
  readonly state?: JobState;
}

interface ListedJob
  extends Pick<
    JobRow,
    | 'id'
    | 'organizationId'
    | 'subject'
    | 'state'
    | 'done'
    | 'total'
    | 'issue'
    | 'requestedBy'
    | 'createdAt'
    | 'updatedAt'
  > {
  readonly kind: ListedKind;
  readonly scope: ImpactScope | null;
}

/** Returns jobs newest first. Each kind in each state is read by its index, so that rare ones are found as fast as others. */
export async function listJobs(
  trx: Trx,
  { limit = defaultLimit, cursor, kind, state }: JobQuery,
): Promise<Page<ReturnType<typeof presentJob>>> {
  const [createdAt = null, id = null] = keyInCursor(cursor, ['instant', 'string']) ?? [];
  const rows = await rowsOf<ListedJob>(
    trx,
    `select j.* from unnest(:kinds::text[]) k (kind) cross join unnest(:states::text[]) s (state) cross join lateral (
       select id, organization_id, kind, subject, state, done, total, issue, requested_by, created_at, updated_at,
         case when kind = 'replay' then input -> 'scope' end as scope
       from rule_job where kind = k.kind and state = s.state
         and (:createdAt::timestamptz is null or (created_at, id) < (:createdAt::timestamptz, :id))
       order by created_at desc, id desc limit :most) j
     order by j.created_at desc, j.id desc limit :most`,
    {
      kinds: kind ? [kind] : [...listedKinds],
      states: state ? [state] : [...jobStates],
      ...{ createdAt, id, most: limit + 1 },
    },
  );
  return pageOf(rows, limit, (row) => [row.createdAt, row.id], presentJob);
}

const presentJob = (job: ListedJob) => ({
  jobId: job.id,
  kind: job.kind,
  subject: subjectOfJob(job),
  organizationId: job.organizationId,
  state: job.state,
  progress: { done: job.done, total: job.total },
  issue: job.issue,
  requestedBy: job.requestedBy,
  createdAt: job.createdAt,
  updatedAt: job.updatedAt,
});
