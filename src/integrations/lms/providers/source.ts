// What all sources that are asked over the network share: how a conversation begins and ends, and what follows when the
// provider refuses.
import type { Services } from '#core/module/services.ts';
import { conflict } from '#core/platform/errors.ts';
import type { LmsConnection } from '../connections/rows.ts';
import type { Course, RosterAsking, RosterProvider, RosterRow } from '../provider.ts';
import { callersPatienceMs, type Talk, type TalkOptions } from '../reaching/reach.ts';
import { AccessRefused, asProviderFault } from './faults.ts';
import { revokeConnection } from './revocation.ts';

/** Both throw AccessRefused, ReachFailure and ProviderFault. */
export interface NetworkSource {
  courses(talk: Talk): Promise<Course[]>;
  roster(talk: Talk, courseExternalIds: readonly string[], asking: RosterAsking): AsyncIterable<RosterRow>;
  /** Tells the provider that the right to read is given back. */
  giveBack(talk: Talk): Promise<void>;
}

interface Opened {
  readonly services: Services;
  readonly connection: LmsConnection;
  readonly talkOptions?: TalkOptions;
}

export function networkSource({ services, connection, talkOptions }: Opened, source: NetworkSource): RosterProvider {
  const talk = (options: TalkOptions) => services.lmsReach.talk({ ...talkOptions, ...options });
  return {
    async listCourses({ inWorker, signal } = { inWorker: false }) {
      const opened = talk(inWorker ? { ...(signal && { signal }) } : { patienceMs: callersPatienceMs });
      try {
        return await source.courses(opened);
      } catch (error) {
        throw await failed(services, connection, error);
      } finally {
        opened.close();
      }
    },
    async *readRoster(courseExternalIds, asking: RosterAsking) {
      const { signal } = asking;
      const opened = talk({ ...(signal && { signal }) });
      try {
        yield* source.roster(opened, courseExternalIds, asking);
      } catch (error) {
        throw await failed(services, connection, error);
      } finally {
        opened.close();
      }
    },
    async revoke() {
      const opened = talk({ patienceMs: callersPatienceMs });
      try {
        await source.giveBack(opened);
      } finally {
        opened.close();
      }
    },
  };
}

/** What those who asked are told. Where the provider has refused, the connection has ended by then. */
async function failed(services: Services, connection: LmsConnection, error: unknown): Promise<unknown> {
  if (!(error instanceof AccessRefused)) return asProviderFault(error);
  await revokeConnection(services, connection, error.error);
  return conflict('connection_revoked', 'The learning platform has taken back the right to read. Connect it again.');
}
