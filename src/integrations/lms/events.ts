// The events of roster imports, which workers handle.
import { object } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';

export const syncRequested = eventKind({
  topic: 'lms.sync_requested',
  summary: 'A roster is to be read, and its rows that need no decision are to be committed.',
  payload: object({ syncRunId: TextId }),
});

export const previewRequested = eventKind({
  topic: 'lms.preview_requested',
  summary: 'A preview of what a roster would change is to be built.',
  payload: object({ previewId: TextId }),
});
