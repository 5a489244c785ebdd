// The event of context flags.
import { IntegerId, object } from '#core/http/schemas.ts';
import { eventKind } from '#core/module/events.ts';

export const contextFlagChanged = eventKind({
  topic: 'context_flag.changed',
  summary:
    'A context flag with the effect `review` was set, changed or ended, or a local date has begun or ended it. Those without effect raise nothing.',
  payload: object({ studentId: IntegerId, flagId: IntegerId }),
});
