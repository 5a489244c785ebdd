// The scope of a version of a set that the path names.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { allVersions, type LanguageRules } from './versions.ts';

export const rulesInPath: AppScope<LanguageRules> = {
  reach: 'P',
  resolve: async ({ trx, params, now }) => {
    const row = (await allVersions(trx, now)).find(({ id }) => id === params.id);
    if (!row) throw notFound();
    return { row };
  },
};
