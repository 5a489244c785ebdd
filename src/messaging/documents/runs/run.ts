// One attempt at a document: read the facts, let go of the database, render, store. What fails is tried again a little later,
// and then given up with a code.
import { type LeasedKind, runLeased } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { documentRetries } from '#core/platform/retries.ts';
import type { ReportFailure } from '../enums.ts';
import { pauseReport, reportRows, saveReport } from '../rows/lease.ts';
import type { ReportJob } from '../rows/store.ts';
import { nextReport } from '../rows/turns.ts';
import { kindOf, type NoteProgress, ReportRefusal } from '../services.ts';

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
export const runReport = (services: Services, key: Pick<ReportJob, 'organizationId' | 'id'>): Promise<boolean> =>
  runLeased(services, document, key);

const document: LeasedKind<ReportJob> = {
  name: 'document',
  rows: reportRows,
  retries: documentRetries,
  attempt,
  fail: (services, job, error) => {
    const ended = { state: 'failed', failureCode: failureOf(error), finishedAt: services.clock.now(), heldUntil: null };
    return reportRows.write(services, job, ended);
  },
  pause: (services, job) => pauseReport(services, job, documentRetries.waitsSeconds[job.attempts - 1] ?? 0),
};

async function attempt(services: Services, job: ReportJob): Promise<void> {
  const { db, clock } = services;
  const { organizationId } = job;
  const kind = kindOf(services, job.kind);
  const prepared = await inReadOnlyContext(db, { organizationId }, (trx) => kind.prepare(services, trx, job));
  const { total = 1, counts } = prepared;
  const size = { done: 0, total, counts: counts ? JSON.stringify(counts) : null };
  if (!(await reportRows.write(services, job, size))) return;
  const bytes = await prepared.render(progressOf(services, job));
  if (bytes.length > kind.mostBytes) throw new ReportRefusal('too_large', `the file has ${bytes.length} bytes`);
  const expiresAt = new Date(clock.now().getTime() + kind.keepDays * dayMs);
  await saveReport(services, job, { ...prepared, bytes, expiresAt });
}

/** Pieces may follow each other faster than anybody looks. The last one is done with the file. */
function progressOf(services: Services, job: ReportJob): NoteProgress {
  let told = 0;
  return async (done) => {
    if (performance.now() - told < noteEveryMs) return;
    told = performance.now();
    const noted = services.db.raw('least(?::integer, total - 1)', [done]);
    await reportRows.write(services, job, { done: noted });
  };
}

function failureOf(error: unknown): ReportFailure {
  if (error instanceof ReportRefusal) return error.failure;
  return error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' ? 'language_unavailable' : 'render_error';
}
