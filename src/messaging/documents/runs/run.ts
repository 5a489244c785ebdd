// One attempt at a document: reads the facts, releases the database, renders and stores. A failed attempt is retried after a
// pause; after the last one the job fails with a code.
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
import { type NoteProgress, ReportRefusal, reportKindOf } from '../services.ts';

/** By the machine's clock. It only limits the number of statements. */
const noteEveryMs = 500;

/** How often a worker selects again after another one has claimed the selected job. */
const mostLooks = 20;

/** Runs the jobs of a kind in their order until no further job may begin. `stop` is aborted when the process is about to end. */
export async function runReports(services: Services, kind: string, stop: AbortSignal): Promise<void> {
  for (let looks = 0; looks < mostLooks && !stop.aborted; ) {
    const next = await nextReport(services.db, kind);
    if (!next) return;
    looks = (await runReport(services, next)) ? 0 : looks + 1;
  }
}

/** Runs one attempt. Returns false if another process holds the job, or it pauses, has ended or may not begin yet. */
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
  const kind = reportKindOf(services, job.kind);
  const prepared = await inReadOnlyContext(db, { organizationId }, (trx) => kind.prepare(services, trx, job));
  const { total = 1, counts } = prepared;
  const size = { done: 0, total, counts: counts ? JSON.stringify(counts) : null };
  if (!(await reportRows.write(services, job, size))) return;
  const bytes = await prepared.render(progressOf(services, job));
  if (bytes.length > kind.mostBytes) throw new ReportRefusal('too_large', `the file has ${bytes.length} bytes`);
  const expiresAt = new Date(clock.now().getTime() + kind.keepDays * dayMs);
  await saveReport(services, job, { ...prepared, bytes, expiresAt });
}

/** Progress is stored at intervals, because pieces may follow each other quickly. The last one is stored with the file. */
function progressOf(services: Services, job: ReportJob): NoteProgress {
  let notedAt = 0;
  return async (done) => {
    if (performance.now() - notedAt < noteEveryMs) return;
    notedAt = performance.now();
    const noted = services.db.raw('least(?::integer, total - 1)', [done]);
    await reportRows.write(services, job, { done: noted });
  };
}

function failureOf(error: unknown): ReportFailure {
  if (error instanceof ReportRefusal) return error.failure;
  return error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' ? 'language_unavailable' : 'render_error';
}
