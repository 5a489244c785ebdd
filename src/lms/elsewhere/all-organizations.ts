// An address or a Google account may be somebody's in another organization: what an import looks up in all of them.
import { enterContext, type Trx } from '../../platform/db.ts';

/** Work of an open transaction of one organization, which goes on in that one. */
export async function inAllOrganizations<T>(trx: Trx, organizationId: string, work: () => Promise<T>): Promise<T> {
  await enterContext(trx, 'SUPER');
  const found = await work();
  await enterContext(trx, { organizationId });
  return found;
}
