// Services of notifications, and the field of capabilities that lists kinds.
import { byName, type Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { openChangeFeed } from '#core/platform/pubsub/change-feed.ts';
import { authenticateAll } from '#identity/people/index.ts';
import type { NotificationKind } from './requests/notify.ts';
import { unreadStates } from './stream/state.ts';
import { streamSlots } from './stream/stream-slots.ts';
import { NotificationStreams } from './stream/streams.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** The streams of this process, and their messages to other processes. */
    readonly notificationStreams: NotificationStreams;
  }
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Kinds that the capability produces; each has a document of the family `notification`. */
    readonly notificationKinds?: readonly NotificationKind[];
  }
}

/** Codes of the kinds of all capabilities. Throws RangeError for a code that is listed twice. */
export const kindWords = (capabilities: readonly Capability[]): readonly string[] =>
  [...byName('kinds of notifications', capabilities.flatMap(kindsOf), ({ kind }) => kind).keys()].sort();

const kindsOf = ({ notificationKinds = [] }: Capability) => notificationKinds;

export function notificationStreams({ db, clock, config, log }: Pick<Services, 'db' | 'clock' | 'config' | 'log'>) {
  const { redisUrl, databaseListenUrl: listenUrl, production } = config;
  return new NotificationStreams({
    changeFeed: openChangeFeed({ db, redisUrl, listenUrl, log, name: 'notifications' }),
    slots: streamSlots(db),
    now: () => clock.now(),
    statesOf: (people) => inReadOnlyContext(db, 'SUPER', (trx) => unreadStates(trx, people)),
    mayListen: async (claims) => {
      const callers = await inReadOnlyContext(db, 'SUPER', (trx) =>
        authenticateAll(trx, claims, clock.now(), production),
      );
      return callers.map((caller) => !(caller instanceof AppError));
    },
    failed: (error) => log.warn({ err: error }, 'notification streams'),
  });
}
