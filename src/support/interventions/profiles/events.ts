// The event of a changed profile.
import { IntegerId, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import { profileCodes, profileOutcomes } from '../engine/vocabulary.ts';

export const profileChanged = eventKind({
  topic: 'profile.changed',
  summary: 'A student has another profile than before, or none any more.',
  payload: object({
    ...{ studentId: IntegerId, profileId: IntegerId, runId: TextId },
    ...{ profileCode: oneOf(profileCodes), outcome: oneOf(profileOutcomes) },
  }),
});
