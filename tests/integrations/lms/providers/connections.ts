// Connections that are asked over the network, as they are stored.

import { newId } from '#core/platform/ids.ts';
import type { LmsConnection } from '#integrations/lms/connections/rows.ts';
import type { RosterOptions, RosterRow } from '#integrations/lms/provider.ts';
import { openSource } from '#integrations/lms/provider.ts';
import {
  type GoogleCredentials,
  type RestCredentials,
  sealCredentials,
} from '#integrations/lms/providers/credentials.ts';
import type { TestApp } from '../../../harness/http.ts';

const at = '2026-01-10T06:00:00.000Z';

interface Made {
  readonly organizationId: string;
  readonly connectedBy: number;
}

/** Active; a former one of the provider gives way. */
export async function storeConnection(
  { database, services }: TestApp,
  { organizationId, connectedBy }: Made,
  credentials: RestCredentials | GoogleCredentials,
): Promise<LmsConnection> {
  const { owner } = database;
  const provider = 'refreshToken' in credentials ? 'google_classroom' : 'oneroster';
  const kind = provider === 'oneroster' ? 'rest' : 'oauth';
  await owner('lms_connection')
    .where({ organizationId, provider, status: 'active' })
    .update({ status: 'disconnected', endedAt: at, nextRunAt: null, sealedCredentials: null, credentialsKeyId: null });
  const { sealed, keyId } = sealCredentials(services.cipher, { organizationId, provider }, credentials);
  const [row] = await owner('lms_connection')
    .insert({
      ...{ organizationId, id: newId(), provider, kind, status: 'active', connectedBy, createdAt: at },
      ...{ sealedCredentials: sealed, credentialsKeyId: keyId, nextRunAt: '2026-01-16T06:00:00.000Z' },
    })
    .returning('*');
  return row;
}

/** All that the source says, in its order. */
export async function rosterOf(
  { services }: TestApp,
  connection: LmsConnection,
  courseIds: readonly string[],
  asking: Partial<RosterOptions> = {},
): Promise<RosterRow[]> {
  const rows: RosterRow[] = [];
  for await (const row of openSource(services, connection).readRoster(courseIds, {
    guardians: false,
    today: '2026-01-12',
    ...asking,
  }))
    rows.push(row);
  return rows;
}
