// The one door to a student's statuses. Runs of one student happen one after the other, whoever asks for them; a request
// that arrives while a run is going on is served by the process that runs.

import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import type { Trigger } from '../results/enums.ts';
import { countersOf } from './counters.ts';
import { noteFailure } from './failures.ts';
import {
  closeRequests,
  dueStudents,
  type Judgement,
  lockRecomputes,
  openRequests,
  requestRecomputes,
  studentsOfJob,
  waitingStudents,
} from './requests.ts';
import { runStudents } from './run-students.ts';

/** Serves a student's open requests, in a transaction for each run. What fails is noted on the request and thrown on. */
export async function recomputeStudent(services: Services, organizationId: string, studentId: number): Promise<void> {
  try {
    await serve(services, organizationId, [studentId]);
  } catch (error) {
    await noteFailure(services, organizationId, studentId, error);
    throw error;
  }
}

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
    const due = await dueStudents(trx, organizationId, studentIds, services.clock.now());
    const room = due.length === 0 ? 0 : studentsOfJob - due.length;
    return { due, others: room > 0 ? await waitingStudents(trx, organizationId, due, room) : [] };
  });
  const together = [...due, ...others];
  if (due.length === 0) return;
  if (together.length === 1) return recomputeStudent(services, organizationId, due[0] ?? 0);
  await serve(services, organizationId, together).catch((error: unknown) => {
    logBrokenBatch(services, organizationId, together, error);
    return eachAlone(services, organizationId, due);
  });
}

/** One that fails does not hold up the others; the first failure is thrown when all have had their turn. */
const eachAlone = (services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> =>
  eachInTurn(studentIds, (studentId) => recomputeStudent(services, organizationId, studentId));

const logBrokenBatch = ({ log }: Services, organizationId: string, studentIds: readonly number[], error: unknown) =>
  log.warn({ err: error, organizationId, studentIds }, 'students are recomputed alone: together they failed');

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
  const failures: unknown[] = [];
  for (let from = 0; from < studentIds.length; from += studentsOfJob) {
    const some = studentIds.slice(from, from + studentsOfJob);
    await ask(services, organizationId, some, trigger, notBefore);
    await serve(services, organizationId, some)
      .catch((error: unknown) => {
        logBrokenBatch(services, organizationId, some, error);
        return eachAlone(services, organizationId, some);
      })
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
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
    const { held, runs } = await inOrganization((trx) => serveOnce(trx, services, organizationId, open));
    for (const { grade, halted } of runs) countersOf(services.metrics).runs.inc({ grade, halted: String(halted) });
    const again = held.length === 0 ? [] : await inOrganization((trx) => openRequests(trx, organizationId, held));
    open = again.map(({ studentId }) => studentId);
  }
}

/** Answers the students that were free, and the runs that were appended. Requests are read after the hold, the clock after the requests. */
async function serveOnce(
  trx: Trx,
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<{ readonly held: readonly number[]; readonly runs: Judgement['runs'] }> {
  const held = await lockRecomputes(trx, studentIds);
  const requests = await openRequests(trx, organizationId, held);
  if (requests.length === 0) return { held, runs: [] };
  const judged = await runStudents(trx, services, organizationId, requests);
  await closeRequests(trx, organizationId, requests, judged);
  return { held, runs: judged.runs };
}
