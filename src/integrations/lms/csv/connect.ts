// Creates a connection by uploaded files, or replaces the files of the existing one.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { insertActive } from '../connections/connections.ts';
import { activeConnection, LmsConnection, lockConnection } from '../connections/rows.ts';
import type { SentFile } from './set/archive.ts';
import { type ParsedSet, parseSet } from './set/parse.ts';
import { storeSet } from './set/store.ts';

/** The caller holds no transaction. Throws VALIDATION_ERROR with all structural faults. */
export const readSent = ({ config }: Pick<Services, 'config'>, files: readonly SentFile[]): Promise<ParsedSet> =>
  parseSet(files, config.lms.guardianImport);

export interface Connecting {
  readonly organizationId: string;
  readonly userId: number;
  readonly now: Date;
}

/** `isNew`: a connection was created. Throws CONFLICT `connection_active` when the provider is connected in another way. */
export async function connectByFiles(
  trx: Trx,
  services: Pick<Services, 'cipher'>,
  { organizationId, userId, now }: Connecting,
  set: ParsedSet,
): Promise<{ readonly connection: LmsConnection; readonly isNew: boolean }> {
  const known = await activeConnection(trx, organizationId, 'oneroster');
  const locked = known?.kind === 'csv' ? await lockConnection(trx, known) : undefined;
  const isKept = locked?.status === 'active';
  const connection = isKept
    ? locked
    : await insertActive(trx, { organizationId, provider: 'oneroster', kind: 'csv', connectedBy: userId }, now);
  await storeSet(trx, services, connection, set, now);
  const numbered = { setNo: connection.setNo + 1 };
  await LmsConnection.query(trx).findById([organizationId, connection.id]).patch(numbered);
  return { connection, isNew: !isKept };
}
