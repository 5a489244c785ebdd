// Requests a document. The same document is requested once while its job is open or, for some kinds, while its file exists.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { reportQueued } from '../events.ts';
import type { ReportKind } from '../services.ts';
import { type KnownReport, ReportJob, reportStateAt, reportsWithFiles } from './store.ts';

/** A job can be read longer than its file is kept. */
const keptMs = 90 * dayMs;

export interface ReportRequest {
  readonly organizationId: string;
  readonly kind: Pick<ReportKind, 'kind' | 'askedOnce'>;
  /** The id of the subject of the document. */
  readonly subject: string;
  readonly input: object;
  /** Identifies the document: equal keys mean the same document. */
  readonly contentKey: string;
  readonly requestedBy: number;
  readonly now: Date;
}

/** Returns the job that renders the document, which may be an older one. Simultaneous requests get the same job. */
export async function requestReport(trx: Trx, request: ReportRequest): Promise<KnownReport> {
  const { organizationId, kind, subject, input, contentKey, requestedBy, now } = request;
  const job = {
    ...{
      organizationId,
      id: newId(),
      kind: kind.kind,
      subject,
      input,
      contentKey,
      requestedBy,
      state: 'queued' as const,
      total: 1,
    },
    ...{ createdAt: now.toISOString(), keptUntil: new Date(now.getTime() + keptMs).toISOString() },
  } as const;
  const known = await jobInUse(trx, request);
  if (known) return known;
  const rows = await ReportJob.query(trx)
    .insert(job)
    .onConflict(trx.raw("(organization_id, kind, content_key) where state in ('queued', 'running', 'done')"))
    .ignore()
    .returning('id')
    .toKnexQuery();
  if (rows.length === 0) return (await jobInUse(trx, request)) ?? requestReport(trx, request);
  await appendEvents(trx, now, [newEvent(reportQueued, organizationId, { jobId: job.id })]);
  const made = await reportsWithFiles(trx).findOne({ organizationId, id: job.id }).throwIfNotFound();
  return made as KnownReport;
}

/**
 * Returns the job that serves the request. A job whose file has expired gives up its key, and so does a finished one of a kind
 * whose later requests get later facts.
 */
async function jobInUse(trx: Trx, request: ReportRequest): Promise<KnownReport | undefined> {
  const { organizationId, kind, contentKey, now } = request;
  const inUse = reportsWithFiles(trx)
    .findOne({ organizationId, kind: kind.kind, contentKey })
    .whereIn('state', ['queued', 'running', 'done']);
  const job = (await lockRows('reportJob', 'change', inUse)) as KnownReport | undefined;
  const state = job && reportStateAt(job, now);
  if (!job || state === 'queued' || state === 'running') return job;
  if (state === 'done' && kind.askedOnce === 'while_kept') return job;
  const room = state === 'expired' ? { state } : { contentKey: job.id };
  await ReportJob.query(trx).findById([organizationId, job.id]).patch(room);
  return undefined;
}
