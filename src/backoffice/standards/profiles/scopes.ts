// The scope of a profile that the path names.
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { allProfiles, type ProfileVersion } from './versions.ts';

export const profileInPath: AppScope<ProfileVersion> = {
  reach: 'P',
  resolve: async ({ trx, params, now }) => ({ row: await findProfile(trx, params.id ?? '', now) }),
};

/** Throws NOT_FOUND. */
export async function findProfile(trx: Trx, id: string, now: Date): Promise<ProfileVersion> {
  const found = (await allProfiles(trx, now)).find((profile) => profile.id === id);
  if (!found) throw notFound();
  return found;
}
