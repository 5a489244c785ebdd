// When rules change, every student's results are evaluated by the new rules, in jobs that any worker takes. Results that stay the
// same are not written again, so that a step whose worker died is repeated without a trace. Recomputes for students who have just
// finished a session take precedence.

import {
  changesStatuses,
  countNewResults,
  freshWait,
  RecomputeRequest,
  recomputeStudents,
} from '#assessment/skill-status/index.ts';
import type { JobModel, JobStep } from '#core/long-jobs/index.ts';
import { type JobRow, orderJobs } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

interface Occasion {
  /** The id of an activation, or another reason why results are stale. */
  readonly subject: string;
  /** Names of the documents that changed. */
  readonly changed: readonly string[];
  /** Null where no person requested it. */
  readonly userId: number | null;
}

/** A range of student ids of an organization. Students who join the organization meanwhile belong to its last job. */
interface Piece {
  readonly after: number;
  readonly to: number | null;
}

type Input = Piece & { readonly changed: readonly string[] };

/** Students of one job: few enough that a worker that stops leaves little behind and that many workers share the work. */
const studentsOfPiece = 500;

/** Whether a new version of one of these documents changes results or what is derived from them. */
export function changesResults({ capabilities }: Pick<Services, 'capabilities'>, changed: readonly string[]): boolean {
  const projections = capabilities.flatMap(({ runProjections = [] }) => runProjections);
  const read = new Set(projections.flatMap(({ documents }) => documents));
  return changed.some((name) => changesStatuses(name) || read.has(name));
}

/** Creates jobs for all students with results. The context is SUPER. */
export async function orderRecomputes(
  trx: Trx,
  { subject, changed, userId }: Occasion,
  now: Date,
  pieceSize = studentsOfPiece,
): Promise<void> {
  const orders = (await piecesOf(trx, pieceSize)).map(({ organizationId, after, to }) => ({
    kind: 'recompute' as const,
    organizationId,
    subject,
    input: { changed, after, to },
    requestedBy: userId,
  }));
  await orderJobs(trx, now, orders);
}

/** Orders the first job of each organization before the second of any, so that a small organization does not wait for a large one. */
const piecesOf = (trx: Trx, pieceSize: number): Promise<(Piece & { readonly organizationId: string })[]> =>
  rowsOf(
    trx,
    `with placed as (
       select organization_id, student_id,
         (row_number() over (partition by organization_id order by student_id) - 1) / :pieceSize as piece
       from sse_recompute_request),
     piece as (
       select organization_id, piece, max(student_id) as last, lead(piece) over w is null as is_newest
       from placed group by organization_id, piece
       window w as (partition by organization_id order by piece))
     select organization_id, coalesce(lag(last) over (partition by organization_id order by piece), 0) as after,
       case when is_newest then null else last end as "to"
     from piece order by piece, organization_id`,
    { pieceSize },
  );

interface Position {
  readonly lastStudentId: number;
  readonly done: number;
  /** Groups of students in which the evidence of at least one could not be evaluated. */
  readonly failures: number;
  /** Students who got another result; undefined in a job of before that was counted. */
  readonly changed?: number;
}

const studentsAtOnce = 50;

export const recomputeModel: JobModel<Input, Position> = {
  kind: 'recompute',
  size: async ({ db }, job) => {
    const organizationId = placeOf(job);
    return inContext(db, { organizationId }, async (trx) => {
      return studentsOf(trx, organizationId, job.input, job.input.after).resultSize();
    });
  },
  step: recomputeSome,
  report: async (_services, _job, { done, failures, changed = 0 }) => ({ students: done, failures, changed }),
};

const studentsOf = (trx: Trx, organizationId: string, { to }: Piece, after: number) =>
  RecomputeRequest.query(trx)
    .where({ organizationId })
    .where('studentId', '>', after)
    .where((one) => (to === null ? one : one.where('studentId', '<=', to)));

function placeOf({ organizationId }: JobRow<Input, Position>): string {
  if (organizationId === null) throw new RangeError('students are recomputed organization by organization');
  return organizationId;
}

/** A student whose evaluation fails keeps an open request, which the sweep of the skill-status engine retries. */
async function recomputeSome(
  services: Services,
  job: JobRow<Input, Position>,
  position: Position | null,
): Promise<JobStep<Position>> {
  const organizationId = placeOf(job);
  const begun: Position = position ?? { lastStudentId: job.input.after, done: 0, failures: 0 };
  const { lastStudentId, done, failures, changed = 0 } = begun;
  await yieldToFreshWork(services);
  const rows: { studentId: number }[] = await inContext(services.db, { organizationId }, (trx) =>
    studentsOf(trx, organizationId, job.input, lastStudentId)
      .orderBy('studentId')
      .limit(studentsAtOnce)
      .select('studentId')
      .execute(),
  );
  const ids = rows.map(({ studentId }) => studentId);
  const failed = await recomputeStudents(services, organizationId, ids, 'rule_activation', job.createdAt).then(
    () => 0,
    (error: unknown) => countFailure(services, job, ids, error),
  );
  const fresh = await inContext(services.db, { organizationId }, (trx) =>
    countNewResults(trx, organizationId, ids, job.createdAt),
  );
  const next = {
    lastStudentId: ids.at(-1) ?? lastStudentId,
    done: done + ids.length,
    failures: failures + failed,
    changed: changed + fresh,
  };
  return { done: next.done, position: next, isLast: ids.length < studentsAtOnce };
}

/** Waits while fresh results wait, but not for ever: rules also come into force during school hours. */
const longestPauseMs = 250;
const pollMs = 25;

async function yieldToFreshWork({ db, clock }: Services): Promise<void> {
  const until = performance.now() + longestPauseMs;
  while (performance.now() < until && (await inContext(db, 'SUPER', (trx) => freshWait(trx, clock.now())))) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function countFailure({ log }: Services, job: JobRow<Input, Position>, studentIds: number[], error: unknown): number {
  if (isDatabaseDown(error)) throw error;
  const { id: jobId, organizationId, subject } = job;
  log.error({ err: error, jobId, organizationId, subject, studentIds }, 'students are not evaluated by the new rules');
  return 1;
}
