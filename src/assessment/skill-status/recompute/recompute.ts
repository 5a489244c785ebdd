// The one door to a student's statuses. Runs of one student happen one after the other, whoever asks for them; a request
// that arrives while a run is going on is served by the process that runs.

import { addJobs } from '#core/module/jobs.ts';
import { serveNoted, togetherElseAlone } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { chunks } from '#core/platform/pure/lists/chunks.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { openRequests } from '#core/platform/requests/requests.ts';
import type { Trigger } from '../results/enums.ts';
import { countersOf } from './counters.ts';
import { recomputeRequests } from './queue.ts';
import {
  closeRecomputes,
  type Judgement,
  lockRecomputes,
  openRecomputes,
  requestRecomputes,
  waitingStudents,
} from './requests.ts';
import { runStudents } from './run-students.ts';

/** Serves a student's open requests, in a transaction for each run. What fails is noted on the request and thrown on. */
export const recomputeStudent = (services: Services, organizationId: string, studentId: number): Promise<void> =>
  serveNoted(services, recomputeRequests, organizationId, studentId, () =>
    serve(services, organizationId, [studentId]),
  );

/**
 * Serves the open requests of a job's students, and with them others of the organization that wait, as many as one
 * transaction takes. Where that fails the job's students are served alone, and the others by their own jobs. A student
 * whose recompute failed a short while ago waits for the sweep.
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

/** Each of `own` alone where together they fail. */
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
 * Recomputes many students now, without the queue. One whose evidence fails does not hold up the others; the first
 * failure is thrown when all have had their turn. A student whom another process is at is left to that process.
 * `notBefore` (ISO 8601): what a recompute has to see was put in force then, by whatever clock.
 */
export async function recomputeStudents(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
  trigger: Trigger = 'admin',
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
  trigger: Trigger,
  notBefore = '',
): Promise<void> {
  const now = clock.now().toISOString();
  const at = now < notBefore ? notBefore : now;
  const list = studentIds.map((studentId) => ({ organizationId, studentId, trigger, triggerRef: null, at }));
  await inContext(db, { organizationId }, (trx) => requestRecomputes(trx, list));
}

/**
 * Whoever finds a student held goes away, so the holder must look again. It looks after the release: a request that was
 * refused while the student was held was committed before that, and is seen now.
 */
async function serve(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const inOrganization = <T>(work: (trx: Trx) => Promise<T>) => inContext(services.db, { organizationId }, work);
  let open = studentIds;
  while (open.length > 0) {
    const { held, runs, jobs } = await inOrganization((trx) => serveOnce(trx, services, organizationId, open));
    addJobs(services, jobs);
    for (const { grade, halted } of runs) countersOf(services.metrics).runs.inc({ grade, halted: String(halted) });
    const again = held.length === 0 ? [] : await inOrganization((trx) => openRecomputes(trx, organizationId, held));
    open = again.map(({ studentId }) => studentId);
  }
}

/**
 * Returns the students that were free, the runs that were appended, and the jobs that they ask for. Requests are read after
 * the hold, the clock after the requests.
 */
async function serveOnce(
  trx: Trx,
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<{ readonly held: readonly number[] } & Pick<Judgement, 'runs' | 'jobs'>> {
  const held = await lockRecomputes(trx, studentIds);
  const requests = await openRecomputes(trx, organizationId, held);
  if (requests.length === 0) return { held, runs: [], jobs: [] };
  const judged = await runStudents(trx, services, organizationId, requests);
  await closeRecomputes(trx, organizationId, requests, judged);
  return { held, runs: judged.runs, jobs: judged.jobs };
}
