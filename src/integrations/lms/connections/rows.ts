// The rows of connections.
import type { Trx } from '#core/platform/db.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { Row } from '#core/platform/model.ts';
import type { ConnectionKind, ConnectionStatus, Provider } from '../enums.ts';

/** pending → active → revoked or disconnected; revoked → disconnected; never back. */
export class LmsConnection extends Row {
  static override tableName = 'lms_connection';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = [];
  declare organizationId: string;
  declare id: string;
  declare provider: Provider;
  declare kind: ConnectionKind;
  declare status: ConnectionStatus;
  /** Tokens and secrets under a key of the service; null where there are none, and once the connection has ended. */
  declare sealedCredentials: string | null;
  /** Which key sealed them. */
  declare credentialsKeyId: string | null;
  declare connectedBy: number;
  declare createdAt: string;
  /** Of a pending one: when it is gone. */
  declare expiresAt: string | null;
  declare endedAt: string | null;
  declare lastSyncAt: string | null;
  /** Of the scheduled sync; null where there is none. */
  declare nextRunAt: string | null;
  /** Grows with each set of files that is uploaded. */
  declare setNo: number;
}

interface ConnectionKey {
  readonly organizationId: string;
  readonly id: string;
}

export const findConnection = async (
  trx: Trx,
  { organizationId, id }: ConnectionKey,
): Promise<LmsConnection | undefined> => LmsConnection.query(trx).findOne({ organizationId, id });

/** Before the organization and all that lies in it. */
export const lockConnection = async (
  trx: Trx,
  { organizationId, id }: ConnectionKey,
  mode: RowMode = 'change',
): Promise<LmsConnection | undefined> =>
  lockRows('lmsConnection', mode, LmsConnection.query(trx).findOne({ organizationId, id }));

export const activeConnection = async (
  trx: Trx,
  organizationId: string,
  provider: Provider,
): Promise<LmsConnection | undefined> =>
  LmsConnection.query(trx).findOne({ organizationId, provider, status: 'active' });
