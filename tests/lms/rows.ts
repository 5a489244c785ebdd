// Connections and uploaded sets as they are stored, for tests that are not about uploading.
import type { Provider } from '../../src/lms/words.ts';
import type { Db } from '../../src/platform/db.ts';
import { newId } from '../../src/platform/ids.ts';

interface Made {
  readonly organizationId: string;
  readonly connectedBy?: number;
  readonly provider?: Provider;
}

const at = '2026-09-01T06:00:00.000Z';

/** Active, by files, with one class of the third grade that nobody is in. A former one of the provider gives way. */
export async function buildConnection(owner: Db, { organizationId, connectedBy = 1, provider = 'oneroster' }: Made) {
  const id = newId();
  await owner('lms_connection')
    .where({ organizationId, provider, status: 'active' })
    .update({ status: 'disconnected', endedAt: at, nextRunAt: null });
  const kind = provider === 'oneroster' ? 'csv' : 'oauth';
  await owner('lms_connection').insert({
    organizationId,
    id,
    provider,
    kind,
    status: 'active',
    connectedBy,
    createdAt: at,
  });
  await owner('lms_source_row').insert({
    ...{ organizationId, connectionId: id, file: 'classes', externalId: 'class-1', storedAt: at },
    content: JSON.stringify({ name: 'فصل', section: null, grades: [3], active: true }),
  });
  return { id };
}
