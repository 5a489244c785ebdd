// Kinds that are produced by capabilities which do not know each other; the producers name these values.
import Type from 'typebox';
import { nullable, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import { notice, notificationKind, notify } from './requests/notify.ts';
import { adminsOf } from './requests/recipients.ts';

const Version = Type.Integer({ minimum: 1 });

/** A new version of a benchmark document has come into force; `fromVersion` is null for the first one. */
export const benchmarkProfileSwap = notificationKind(
  'benchmark_profile_swap',
  object({ benchmarkProfileKey: Type.String(), fromVersion: nullable(Version), toVersion: Version }),
);

const connection = { connectionId: TextId, provider: oneOf(['google_classroom', 'oneroster']) };

export const lmsConnectionRevoked = notificationKind('lms_connection_revoked', object(connection));

/** Raised by the capability of learning platforms, in the transaction in which a connection is revoked. */
export const connectionRevoked = eventKind({
  topic: 'lms.connection_revoked',
  summary: 'A learning platform has taken back the right to read from it.',
  payload: object(connection),
});

export const notificationEvents = [connectionRevoked] as const;

export const connectionNotices = notify({
  name: 'notify-lms-connection-revoked',
  to: [connectionRevoked],
  async notices(trx, organizationId, events) {
    const recipients = await adminsOf(trx, organizationId);
    return new Map(
      events.map(({ id, payload }) => [
        id,
        [
          notice(lmsConnectionRevoked, payload, {
            recipients,
            source: { type: 'lms_connection', id: payload.connectionId },
          }),
        ],
      ]),
    );
  },
});
