// The pack of a session for a teacher's device that will be without network: everything that a day of teaching takes.
import Type from 'typebox';
import { Cuid, IntegerId, named, object, Timestamp } from '#core/http/schemas.ts';
import { BlueprintItem, BlueprintSegment } from '../../lesson-blueprints/index.ts';

export const OfflinePack = named(
  'SessionOfflinePack',
  object({
    sessionId: Cuid,
    /** Another one where anything in the pack is another. */
    version: Type.String(),
    expiresAt: Timestamp,
    recipients: Type.Array(named('OfflineRecipient', object({ studentId: IntegerId, firstNameAr: Type.String() }))),
    segments: Type.Array(BlueprintSegment),
    items: Type.Array(BlueprintItem),
  }),
);
