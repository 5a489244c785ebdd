// The single writer of a student's statuses. Runs of one student are serialized over all callers; a request that
// arrives during a run is served by the process that runs.

import { addJobs } from '#core/module/jobs.ts';
import { serveNoted, togetherElseAlone } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { chunks } from '#core/platform/pure/lists/chunks.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { openRequests } from '#core/platform/requests/requests.ts';
import type { TriggerKind } from '../results/enums.ts';
import { countersOf } from './counters.ts';
import { recomputeRequests } from './queue.ts';
import {
  closeRecomputes,
  lockRecomputes,
  openRecomputes,
  type RecomputeResult,
  requestRecomputes,
  waitingStudents,
} from './requests.ts';
import { runStudents } from './run-students.ts';

/** Serves a student's open requests, one transaction per run. A failure is recorded on the request and rethrown. */
export const recomputeStudent = (services: Services, organizationId: string, studentId: number): Promise<void> =>
  serveNoted(services, recomputeRequests, organizationId, studentId, () =>
    serve(services, organizationId, [studentId]),
  );

/**
 * Serves the open requests of a job's students together with other waiting ones of the organization, up to the size of
 * one transaction. When that fails, the job's students are served one by one, and the others by their own jobs. A
 * student whose recompute failed recently waits for the sweep.
 */
export async function recomputeWaiting(
  services: Services,
  organizationId: string,
  ...studentIds: readonly number[]
): Promise<void> {
  const { due, others } = await inContext(services.db, { organizationId }, async (trx) => {
    const now = services.clock.now();
    const open = await openRequests(trx, recomputeRequests, organizationId, studentIds, { now });
    const due = open.map(({ key }) => key);
    const room = due.length === 0 ? 0 : recomputeRequests.atOnce - due.length;
    return { due, others: room > 0 ? await waitingStudents(trx, organizationId, due, room) : [] };
  });
  const [first] = due;
  if (first === undefined) return;
  if (due.length + others.length === 1) return recomputeStudent(services, organizationId, first);
  await serveTogether(services, organizationId, [...due, ...others], due);
}

/** Serves all together, and each of `own` alone when that fails. */
const serveTogether = (
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
  own: readonly number[],
): Promise<void> =>
  togetherElseAlone(services, { organizationId, studentIds }, studentIds, {
    together: (some) => serve(services, organizationId, some),
    alone: (studentId) => recomputeStudent(services, organizationId, studentId),
    own,
  });

/**
 * Recomputes many students now, without the queue. A failure does not stop the others; the first one is thrown at the
 * end. Students locked by another process are left to it. `notBefore` (ISO 8601): the time from which rules must be in
 * force, by whatever clock.
 */
export async function recomputeStudents(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
  trigger: TriggerKind = 'admin',
  notBefore?: string,
): Promise<void> {
  await eachInTurn(chunks(studentIds, recomputeRequests.atOnce), async (some) => {
    await ask(services, organizationId, some, trigger, notBefore);
    await serveTogether(services, organizationId, some, some);
  });
}

async function ask(
  { db, clock }: Services,
  organizationId: string,
  studentIds: readonly number[],
  trigger: TriggerKind,
  notBefore = '',
): Promise<void> {
  const now = clock.now().toISOString();
  const at = now < notBefore ? notBefore : now;
  const list = studentIds.map((studentId) => ({ organizationId, studentId, trigger, triggerRef: null, at }));
  await inContext(db, { organizationId }, (trx) => requestRecomputes(trx, list));
}

/**
 * Serves until no request is open. If a student is locked, the caller returns, so the lock holder re-checks after
 * releasing: a request that was refused during the lock was committed before that and is visible then.
 */
async function serve(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const inOrganization = <T>(work: (trx: Trx) => Promise<T>) => inContext(services.db, { organizationId }, work);
  let open = studentIds;
  while (open.length > 0) {
    const { locked, runs, jobs } = await inOrganization((trx) => serveOnce(trx, services, organizationId, open));
    addJobs(services, jobs);
    for (const { grade, halted } of runs) countersOf(services.metrics).runs.inc({ grade, halted: String(halted) });
    const again = locked.length === 0 ? [] : await inOrganization((trx) => openRecomputes(trx, organizationId, locked));
    open = again.map(({ studentId }) => studentId);
  }
}

/**
 * Returns the students that were not locked, the appended runs, and their jobs. Requests are read after locking, the
 * clock after the requests.
 */
async function serveOnce(
  trx: Trx,
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<{ readonly locked: readonly number[] } & Pick<RecomputeResult, 'runs' | 'jobs'>> {
  const locked = await lockRecomputes(trx, studentIds);
  const requests = await openRecomputes(trx, organizationId, locked);
  if (requests.length === 0) return { locked, runs: [], jobs: [] };
  const result = await runStudents(trx, services, organizationId, requests);
  await closeRecomputes(trx, organizationId, requests, result);
  return { locked, runs: result.runs, jobs: result.jobs };
}
