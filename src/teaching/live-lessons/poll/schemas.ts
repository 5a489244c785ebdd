// Request and response schemas of the poll.
import Type from 'typebox';
import { named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { LessonItem } from '../../lesson-blueprints/index.ts';
import { liveStates } from '../enums.ts';
import { PolledEvent } from '../events/schemas.ts';
import { LiveCursor } from '../lessons/schemas.ts';

export const pollQuery = object({ cursor: Type.Optional(LiveCursor) });

export const LivePoll = named(
  'LivePoll',
  object({
    cursor: LiveCursor,
    state: oneOf(liveStates),
    controlVersion: Type.Integer({ minimum: 0 }),
    currentItem: nullable(LessonItem),
    responsesLocked: Type.Boolean(),
    group: nullable(named('OwnLiveGroup', object({ groupNo: Type.Integer({ minimum: 1 }), isLeader: Type.Boolean() }))),
    ismItem: nullable(LessonItem),
    events: Type.Array(PolledEvent),
    nextPollAfterMs: Type.Integer({ minimum: 1 }),
  }),
);
