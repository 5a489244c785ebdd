// The table of connections.
import type { Trx } from '#core/platform/db.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import type { ConnectionKind, ConnectionStatus, Provider } from '../enums.ts';

/** The status goes from pending to active, then to revoked or disconnected, and from revoked to disconnected. */
export class LmsConnection extends Row {
  static override tableName = 'lms_connection';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = [];
  declare organizationId: string;
  declare id: string;
  declare provider: Provider;
  declare kind: ConnectionKind;
  declare status: ConnectionStatus;
  /** Tokens and secrets, encrypted with a key of the service. Null when there are none, and once the connection has ended. */
  declare sealedCredentials: string | null;
  /** The id of the key that encrypted them. */
  declare credentialsKeyId: string | null;
  declare connectedBy: number;
  declare createdAt: string;
  /** When a pending connection expires. */
  declare expiresAt: string | null;
  declare endedAt: string | null;
  declare lastSyncAt: string | null;
  /** The time of the next scheduled sync, or null when there is none. */
  declare nextRunAt: string | null;
  /** Increases with each upload of files. */
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

/** The lock comes before those of the organization and of its rows. */
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

interface LmsSourceRowColumns {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly file: string;
  readonly externalId: string;
  readonly parentId: string | null;
  readonly personId: string | null;
  readonly content: object;
  readonly storedAt: string;
}

/** A row of the files of a connection. */
export const LmsSourceRow = modelOf<LmsSourceRowColumns>('lms_source_row', {
  id: ['organizationId', 'connectionId', 'file', 'externalId'],
  json: ['content'],
});
