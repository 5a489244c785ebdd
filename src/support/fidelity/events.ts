// The event of a changed count.
import { IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import { fidelityGates } from '../interventions/index.ts';

export const fidelityChanged = eventKind({
  topic: 'fidelity.changed',
  summary: 'The delivered part of an assignment was counted anew: with another result, or on request.',
  payload: object({ studentId: IntegerId, assignmentId: TextId, gate: oneOf(fidelityGates) }),
});
