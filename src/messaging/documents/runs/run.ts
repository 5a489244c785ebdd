// One attempt at a document: read the facts, let go of the database, render, store. What fails is tried again a little later,
// and then given up with a code.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, isDatabaseDown } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { ReportFailure } from '../enums.ts';
import {
  claimReport,
  failReport,
  type JobKey,
  noteProgress,
  pauseReport,
  renewReport,
  saveReport,
  sizeReport,
} from '../rows/lease.ts';
import type { ReportJob } from '../rows/store.ts';
import { nextReport } from '../rows/turns.ts';
import { kindOf, type NoteProgress, ReportRefusal } from '../services.ts';

/** Before the second attempt, and before the third, which is the last. */
const pausesSeconds = [5, 30] as const;
const mostAttempts = pausesSeconds.length + 1;
const renewEveryMs = 5_000;
/** Of a machine's own time: it spares statements, and decides nothing. */
const noteEveryMs = 500;

/** Of several who find the same job next one gets it; the others look again, so many times. */
const mostLooks = 20;

/** Works at the jobs of a kind, in their turns, until none is left that may begin. `stop`: the process is about to end. */
export async function runReports(services: Services, kind: string, stop: AbortSignal): Promise<void> {
  for (let looks = 0; looks < mostLooks && !stop.aborted; ) {
    const next = await nextReport(services.db, kind);
    if (!next) return;
    looks = (await runReport(services, next)) ? 0 : looks + 1;
  }
}

/** Works at a job; false where another process does, it pauses, has ended or may not begin yet. */
export async function runReport(services: Services, key: JobKey): Promise<boolean> {
  const job = await claimReport(services.db, key);
  if (job) await work(services, job);
  return job !== undefined;
}

async function work(services: Services, job: ReportJob): Promise<void> {
  const { db, clock } = services;
  // A job that kills its process gets no further than to be begun.
  if (job.attempts > mostAttempts) return void (await failReport(db, job, 'render_error', clock.now()));
  const renewal = setInterval(() => void renewReport(db, job).catch(() => {}), renewEveryMs);
  try {
    await attempt(services, job);
  } catch (error) {
    await noteFailure(services, job, error);
  } finally {
    clearInterval(renewal);
  }
}

async function attempt(services: Services, job: ReportJob): Promise<void> {
  const { db, clock } = services;
  const { organizationId } = job;
  const kind = kindOf(services, job.kind);
  const prepared = await inReadOnlyContext(db, { organizationId }, (trx) => kind.prepare(services, trx, job));
  if (!(await sizeReport(db, job, prepared))) return;
  const bytes = await prepared.render(progressOf(services, job));
  if (bytes.length > kind.mostBytes) throw new ReportRefusal('too_large', `the file has ${bytes.length} bytes`);
  const expiresAt = new Date(clock.now().getTime() + kind.keepDays * dayMs);
  const saved = await saveReport(db, job, { ...prepared, bytes, expiresAt }, () => clock.now());
  if (saved === 'forgotten') throw new Error('somebody in the document was erased while it was rendered');
}

/** Pieces may follow each other faster than anybody looks. */
function progressOf({ db }: Services, job: ReportJob): NoteProgress {
  let told = 0;
  return async (done) => {
    if (performance.now() - told < noteEveryMs) return;
    told = performance.now();
    await noteProgress(db, job, done);
  };
}

async function noteFailure({ db, clock, log }: Services, job: ReportJob, error: unknown): Promise<void> {
  if (isDatabaseDown(error)) throw error;
  const { organizationId, id: jobId, kind, attempts } = job;
  const pause = pausesSeconds[attempts - 1];
  log.error(
    { err: error, organizationId, jobId, kind, attempts },
    pause === undefined ? 'document given up' : 'document not rendered; it is tried again',
  );
  if (pause === undefined) await failReport(db, job, failureOf(error), clock.now());
  else await pauseReport(db, job, pause);
}

function failureOf(error: unknown): ReportFailure {
  if (error instanceof ReportRefusal) return error.failure;
  return error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' ? 'language_unavailable' : 'render_error';
}
