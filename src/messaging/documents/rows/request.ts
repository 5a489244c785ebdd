// Asking for a document: the same one is asked for once, as long as it is on its way or, of some kinds, its file is there.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { reportQueued } from '../events.ts';
import type { ReportKind } from '../services.ts';
import { type KnownReport, ReportJob, reportsWithFiles, stateAt } from './store.ts';

/** A job is told of longer than its file is kept. */
const keptMs = 90 * dayMs;

export interface ReportRequest {
  readonly organizationId: string;
  readonly kind: Pick<ReportKind, 'kind' | 'askedOnce'>;
  /** The id of what the document is about. */
  readonly subject: string;
  readonly input: object;
  /** The same for the same document. */
  readonly contentKey: string;
  readonly requestedBy: number;
  readonly now: Date;
}

/** The job that renders the document, which may be an older one. Of those who ask at once all get the same one. */
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
      state: 'queued',
      total: 1,
    },
    ...{ createdAt: now.toISOString(), keptUntil: new Date(now.getTime() + keptMs).toISOString() },
  } as const;
  const known = await jobInUse(trx, request);
  if (known) return known;
  const rows = await trx('report_job')
    .insert({ ...job, input: JSON.stringify(input) })
    .onConflict(trx.raw("(organization_id, kind, content_key) where state in ('queued', 'running', 'done')"))
    .ignore()
    .returning('id');
  if (rows.length === 0) return (await jobInUse(trx, request)) ?? requestReport(trx, request);
  await appendEvents(trx, now, [newEvent(reportQueued, organizationId, { jobId: job.id })]);
  const made = await reportsWithFiles(trx).findOne({ organizationId, id: job.id }).throwIfNotFound();
  return made as KnownReport;
}

/** One whose file has had its time makes room, or one that is done, where whoever asks later gets later facts. */
async function jobInUse(trx: Trx, request: ReportRequest): Promise<KnownReport | undefined> {
  const { organizationId, kind, contentKey, now } = request;
  const inUse = reportsWithFiles(trx)
    .findOne({ organizationId, kind: kind.kind, contentKey })
    .whereIn('state', ['queued', 'running', 'done']);
  const job = (await lockRows('reportJob', 'change', inUse)) as KnownReport | undefined;
  const state = job && stateAt(job, now);
  if (!job || state === 'queued' || state === 'running') return job;
  if (state === 'done' && kind.askedOnce === 'while_kept') return job;
  const room = state === 'expired' ? { state } : { contentKey: job.id };
  await ReportJob.query(trx).findById([organizationId, job.id]).patch(room);
  return undefined;
}
