// The common part of all sources that are read over the network: opening and closing sessions, and revoking the connection
// when the provider refuses access.
import type { Services } from '#core/module/services.ts';
import { conflict } from '#core/platform/errors.ts';
import type { LmsConnection } from '../connections/rows.ts';
import { callerTimeoutMs, type HttpSession, type SessionOptions } from '../http-client/http-client.ts';
import type { Course, RosterOptions, RosterProvider, RosterRow } from '../provider.ts';
import { AccessRefused, toProviderFault } from './faults.ts';
import { revokeConnection } from './revocation.ts';

/** The methods throw AccessRefused, HttpFailure and ProviderFault. */
export interface NetworkSource {
  courses(session: HttpSession): Promise<Course[]>;
  roster(session: HttpSession, courseExternalIds: readonly string[], options: RosterOptions): AsyncIterable<RosterRow>;
  /** Returns the right to read to the provider. */
  revokeAccess(session: HttpSession): Promise<void>;
}

interface Opened {
  readonly services: Services;
  readonly connection: LmsConnection;
  readonly sessionOptions?: SessionOptions;
}

export function networkSource({ services, connection, sessionOptions }: Opened, source: NetworkSource): RosterProvider {
  const open = (options: SessionOptions) => services.lmsClient.openSession({ ...sessionOptions, ...options });
  return {
    async listCourses({ inWorker, signal } = { inWorker: false }) {
      const session = open(inWorker ? { ...(signal && { signal }) } : { timeoutMs: callerTimeoutMs });
      try {
        return await source.courses(session);
      } catch (error) {
        throw await failed(services, connection, error);
      } finally {
        session.close();
      }
    },
    async *readRoster(courseExternalIds, options: RosterOptions) {
      const { signal } = options;
      const session = open({ ...(signal && { signal }) });
      try {
        yield* source.roster(session, courseExternalIds, options);
      } catch (error) {
        throw await failed(services, connection, error);
      } finally {
        session.close();
      }
    },
    async revoke() {
      const session = open({ timeoutMs: callerTimeoutMs });
      try {
        await source.revokeAccess(session);
      } finally {
        session.close();
      }
    },
  };
}

/** Returns the error for the caller. When the provider has refused access, the connection is revoked first. */
async function failed(services: Services, connection: LmsConnection, error: unknown): Promise<unknown> {
  if (!(error instanceof AccessRefused)) return toProviderFault(error);
  await revokeConnection(services, connection, error.error);
  return conflict('connection_revoked', 'The learning platform has taken back the right to read. Connect it again.');
}
