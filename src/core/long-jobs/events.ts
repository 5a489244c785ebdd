// The event that starts a long job.
import { object } from '../http/schemas.ts';
import { eventKind, TextId } from '../module/events.ts';

export const jobQueued = eventKind({
  topic: 'rule_job.queued',
  summary: 'A long job waits to be run; those of the whole platform are found by the sweep and raise nothing.',
  payload: object({ jobId: TextId }),
});
