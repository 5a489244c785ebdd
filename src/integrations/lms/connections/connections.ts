// Creates, ends and lists connections. An organization has at most one active connection for each provider.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import type { ConnectionKind, Provider } from '../enums.ts';
import { type ListFilter, newestFirst } from '../newest-first.ts';
import { activeConnection, LmsConnection, LmsSourceRow, lockConnection } from './rows.ts';

export interface NewConnection {
  readonly organizationId: string;
  readonly provider: Provider;
  readonly kind: ConnectionKind;
  readonly connectedBy: number;
  /** The encrypted credentials and the id of the key. */
  readonly credentials?: { readonly sealed: string; readonly keyId: string };
  /** Returns the time of the first scheduled sync of the connection with this id. */
  readonly nextRunAt?: (id: string) => Date;
}

const connectionActive = () =>
  conflict('connection_active', 'This provider is connected already. Disconnect it first.', 'provider');

/** Throws CONFLICT `connection_active` when the provider is connected already. */
export async function refuseSecond(trx: Trx, organizationId: string, provider: Provider): Promise<void> {
  if (await activeConnection(trx, organizationId, provider)) throw connectionActive();
}

/** Throws CONFLICT `connection_active`, also for the second of two concurrent requests. */
export async function insertActive(trx: Trx, input: NewConnection, now: Date): Promise<LmsConnection> {
  const { organizationId, provider, kind, connectedBy, credentials, nextRunAt } = input;
  await refuseSecond(trx, organizationId, provider);
  const id = newId();
  try {
    return await LmsConnection.query(trx).insertAndFetch({
      organizationId,
      id,
      provider,
      kind,
      connectedBy,
      status: 'active',
      sealedCredentials: credentials?.sealed ?? null,
      credentialsKeyId: credentials?.keyId ?? null,
      createdAt: now.toISOString(),
      nextRunAt: nextRunAt?.(id).toISOString() ?? null,
    });
  } catch (error) {
    throw violatedConstraint(error) === 'lms_connection_one_active' ? connectionActive() : error;
  }
}

/** Ends the connection and deletes its credentials and files. Returns whether it had ended before. */
export async function disconnect(
  trx: Trx,
  { organizationId, id }: Pick<LmsConnection, 'organizationId' | 'id'>,
  clock: () => Date,
): Promise<boolean> {
  const locked = await lockConnection(trx, { organizationId, id });
  if (!locked || locked.status === 'disconnected') return true;
  const ended = { sealedCredentials: null, credentialsKeyId: null, nextRunAt: null, expiresAt: null };
  await LmsConnection.query(trx)
    .findById([organizationId, id])
    .patch({ ...ended, status: 'disconnected', endedAt: clock().toISOString() });
  await LmsSourceRow.query(trx).where({ organizationId, connectionId: id }).delete();
  return false;
}

/** Returns the newest first, without pending connections that have expired. */
export async function listConnections(trx: Trx, input: ListFilter, now: Date) {
  const query = LmsConnection.query(trx).where((one) =>
    one.whereNull('expiresAt').orWhere('expiresAt', '>', now.toISOString()),
  );
  return newestFirst(query, input, presentConnection);
}

/** Returns the connection without its credentials. */
export const presentConnection = ({ id, provider, status, lastSyncAt }: LmsConnection) => ({
  id,
  provider,
  connectionStatus: status,
  lastSyncAt,
});
