// The events of roster imports, which workers handle.
import { object } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';

export const syncRequested = eventKind({
  topic: 'lms.sync_requested',
  summary: 'A roster is to be read and made so, as far as nobody has to decide.',
  payload: object({ syncRunId: TextId }),
});

export const previewRequested = eventKind({
  topic: 'lms.preview_requested',
  summary: 'What a roster would change is to be worked out.',
  payload: object({ previewId: TextId }),
});
