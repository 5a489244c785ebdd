// When rules change every student is judged by the new ones, organization by organization. What stays the same is not
// written again.

import type { Services } from '../../kernel/services.ts';
import type { JobModel, Step } from '../../long-jobs/index.ts';
import { type JobRow, orderJobs } from '../../long-jobs/index.ts';
import { inContext, isDatabaseDown, type Trx } from '../../platform/db.ts';
import { isEngineDocument, recomputeStudents } from '../../skill-status/index.ts';

interface Occasion {
  /** An activation's id, or what else makes results stale. */
  readonly subject: string;
  /** Names of the documents that changed. */
  readonly changed: readonly string[];
  /** Null where nobody asked for it. */
  readonly userId: number | null;
}

/** One job for each organization that has results; none when no result can change. In SUPER context. */
export async function orderRecomputes(trx: Trx, { subject, changed, userId }: Occasion, now: Date): Promise<void> {
  if (!changed.some(isEngineDocument)) return;
  const rows: { organizationId: string }[] = await trx('sse_recompute_request')
    .distinct('organizationId')
    .orderBy('organizationId');
  const orders = rows.map(({ organizationId }) => ({
    kind: 'recompute' as const,
    organizationId,
    subject,
    input: { changed },
    requestedBy: userId,
  }));
  await orderJobs(trx, now, orders);
}

interface Position {
  readonly lastStudentId: number;
  readonly done: number;
  /** Groups of students in which somebody's evidence could not be judged. */
  readonly failures: number;
}

const studentsAtOnce = 50;

export const recomputeModel: JobModel<unknown, Position> = {
  kind: 'recompute',
  size: async ({ db }, job) => {
    const organizationId = placeOf(job);
    return inContext(db, { organizationId }, async (trx) => {
      const row = await trx('sse_recompute_request').where({ organizationId }).count('* as students').first();
      return Number(row?.students ?? 0);
    });
  },
  step: recomputeSome,
  report: async (_services, _job, { done, failures }) => ({ students: done, failures }),
};

function placeOf({ organizationId }: JobRow<unknown, Position>): string {
  if (organizationId === null) throw new RangeError('students are judged again organization by organization');
  return organizationId;
}

/** A student whose evidence fails keeps an open request, which the engine's own sweep comes back to. */
async function recomputeSome(
  services: Services,
  job: JobRow<unknown, Position>,
  position: Position | null,
): Promise<Step<Position>> {
  const organizationId = placeOf(job);
  const { lastStudentId, done, failures } = position ?? { lastStudentId: 0, done: 0, failures: 0 };
  const rows: { studentId: number }[] = await inContext(services.db, { organizationId }, (trx) =>
    trx('sse_recompute_request')
      .where({ organizationId })
      .where('studentId', '>', lastStudentId)
      .orderBy('studentId')
      .limit(studentsAtOnce)
      .select('studentId'),
  );
  const ids = rows.map(({ studentId }) => studentId);
  const failed = await recomputeStudents(services, organizationId, ids, 'rule_activation', job.createdAt).then(
    () => 0,
    (error: unknown) => countFailure(services, job, ids, error),
  );
  const next = { lastStudentId: ids.at(-1) ?? lastStudentId, done: done + ids.length, failures: failures + failed };
  return { done: next.done, position: next, isLast: ids.length < studentsAtOnce };
}

function countFailure({ log }: Services, job: JobRow<unknown, Position>, studentIds: number[], error: unknown): number {
  if (isDatabaseDown(error)) throw error;
  const { id: jobId, organizationId, subject } = job;
  log.error({ err: error, jobId, organizationId, subject, studentIds }, 'students are not judged by the new rules');
  return 1;
}
