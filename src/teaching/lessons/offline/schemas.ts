// The schema of the offline pack of a lesson.
import Type from 'typebox';
import { Cuid, IntegerId, named, object, Timestamp } from '#core/http/schemas.ts';
import { BlueprintItem, BlueprintSegment } from '../../lesson-blueprints/index.ts';

export const OfflinePack = named(
  'SessionOfflinePack',
  object({
    sessionId: Cuid,
    /** A hash of the content of the pack. */
    version: Type.String(),
    expiresAt: Timestamp,
    recipients: Type.Array(named('OfflineRecipient', object({ studentId: IntegerId, firstNameAr: Type.String() }))),
    segments: Type.Array(BlueprintSegment),
    items: Type.Array(BlueprintItem),
  }),
);
