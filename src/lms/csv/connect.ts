// Uploaded files make a connection, or take the place of the files of the one that there is.
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { insertActive } from '../connections/connections.ts';
import { activeConnection, LmsConnection, lockConnection } from '../connections/rows.ts';
import type { SentFile } from './set/archive.ts';
import { type ParsedSet, parseSet } from './set/parse.ts';
import { storeSet } from './set/store.ts';

/** As they are sent in JSON. */
interface EncodedFile {
  readonly name: string;
  readonly contentBase64: string;
}

/** Holds no transaction. VALIDATION_ERROR with every fault of structure. */
export const readSent = ({ config }: Pick<Services, 'config'>, files: readonly EncodedFile[]): Promise<ParsedSet> =>
  parseSet(files.map(decoded), config.lms.guardianImport);

function decoded({ name, contentBase64 }: EncodedFile, at: number): SentFile {
  const bytes = Buffer.from(contentBase64, 'base64');
  const padding = contentBase64.endsWith('==') ? 2 : contentBase64.endsWith('=') ? 1 : 0;
  if (contentBase64.length % 4 === 0 && bytes.length === (contentBase64.length / 4) * 3 - padding)
    return { name, bytes };
  throw new AppError('VALIDATION_ERROR', 'The content of a file is not base64.', {
    details: [{ field: `files.${at}.contentBase64`, issue: 'is not base64' }],
  });
}

export interface Connecting {
  readonly organizationId: string;
  readonly userId: number;
  readonly now: Date;
}

/** `isNew`: there was none by files. CONFLICT `connection_active` where another way is in use. */
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
