// The response schema of the summary.
import Type from 'typebox';
import { Count, Cuid, IntegerId, named, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { liveStates, observationCodes } from '../enums.ts';
import { ItemRef } from '../lessons/schemas.ts';

export const LiveSummary = named(
  'LiveSessionSummary',
  object({
    liveSessionId: Cuid,
    state: oneOf(liveStates),
    participants: Type.Array(object({ studentId: IntegerId, joinedAt: Timestamp, lastSeenAt: Timestamp })),
    perStudent: Type.Array(
      object({
        studentId: IntegerId,
        present: Type.Boolean(),
        answered: Count,
        correct: Count,
        observations: Type.Array(object({ observationCode: oneOf(observationCodes), count: Count })),
      }),
    ),
    perItem: Type.Array(object({ itemRef: ItemRef, answered: Count, correct: Count })),
    deliveries: Type.Array(object({ studentId: IntegerId, assignmentId: Cuid })),
  }),
);
