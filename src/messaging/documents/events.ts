// The events of report jobs.
import { object } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';

export const reportQueued = eventKind({
  topic: 'report_job.queued',
  summary: 'A document waits to be rendered.',
  payload: object({ jobId: TextId }),
});
