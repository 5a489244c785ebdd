// Which changes of live sessions are recorded, and which values are kept. What happens in one stands in its own events.
import type { AuditedTables } from '#core/module/audit-writer.ts';

const sessionFields = [
  ...['class_id', 'session_id', 'bundle_id', 'step_no', 'state', 'control_version', 'playlist_no'],
  ...['current_item_ref', 'responses_locked'],
];

export const auditedLiveSessions: AuditedTables = {
  live_session: { id: 'id', fields: sessionFields },
  /** Whose marks on the projector became answers. Each call of marks is a change of the run. */
  live_projector_run: {
    id: 'id',
    fields: ['live_session_id', 'playlist_no', 'state', 'mark_calls', 'committed', 'skipped'],
  },
};
