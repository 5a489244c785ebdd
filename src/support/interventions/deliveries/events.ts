// The event of a recorded delivery, for projections that count sessions.
import { IntegerId, object } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';

export const deliveryRecorded = eventKind({
  topic: 'delivery.recorded',
  summary: 'A session of a plan was given: to the student, or to others while this student was absent.',
  payload: object({ studentId: IntegerId, assignmentId: TextId }),
});
