// The recorded changes of live lessons, and the columns whose values are kept. Other activity is in the events of the lesson.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const sessionFields = [
  'class_id',
  'session_id',
  'bundle_id',
  'step_no',
  'state',
  'control_version',
  'playlist_no',
  'current_item_ref',
  'responses_locked',
];

export const auditedLiveLessons: AuditedTables = {
  live_session: { id: 'id', fields: sessionFields },
  /** Records whose marks became answers. `mark_calls` makes every request with marks a change. */
  live_projector_run: {
    id: 'id',
    fields: ['live_session_id', 'playlist_no', 'state', 'mark_calls', 'committed', 'skipped'],
  },
};
