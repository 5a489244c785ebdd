// Request and response schemas of live lessons and of joining.
import Type from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { liveStates } from '../enums.ts';

const codeFormat = { maxLength: 6, pattern: '^[0-9]{6}$' } as const;
const JoinCode = named('LiveJoinCode', Type.String(codeFormat));
const TypedJoinCode = named(
  'LiveTypedJoinCode',
  Type.String({
    ...codeFormat,
    'x-typed': 'code',
    description: 'Read with the digits of any script, without blanks and hyphens.',
  }),
);
/** The number of the last event that a client has received. */
export const LiveCursor = named('LiveCursor', Type.String({ minLength: 1, maxLength: 16 }));
export const ItemRef = Type.String({ maxLength: 32, pattern: '^[a-z0-9-]{1,32}$' });

export const LiveLessonCreationBody = object({ classId: IntegerId, sessionId: Type.Optional(Cuid) });

const session = {
  liveSessionId: Cuid,
  classId: IntegerId,
  state: oneOf(liveStates),
  joinCode: JoinCode,
  bundle_id: nullable(Type.String()),
  stepNo: nullable(Type.Integer({ minimum: 1 })),
  controlVersion: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
};

export const LiveLessonView = named('LiveSession', object(session));

const Participant = named(
  'LiveParticipant',
  object({ studentId: IntegerId, joinedAt: Timestamp, lastSeenAt: Timestamp }),
);

export const LiveLessonDetails = named(
  'LiveSessionDetails',
  object({
    ...session,
    participants: Type.Array(Participant),
    currentItemRef: nullable(ItemRef),
    responsesLocked: Type.Boolean(),
  }),
);

export const JoinBody = object({ joinCode: TypedJoinCode });

export const Joined = named(
  'LiveSessionJoined',
  object({ liveSessionId: Cuid, state: oneOf(liveStates), cursor: LiveCursor }),
);
