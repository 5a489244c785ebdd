// A version of a set as the path names it.
import type { AppScope } from '../kernel/route.ts';
import { notFound } from '../platform/errors.ts';
import { allVersions, type LanguageRules } from './versions.ts';

export const rulesInPath: AppScope<LanguageRules> = {
  reach: 'P',
  resolve: async ({ trx, params, now }) => {
    const row = (await allVersions(trx, now)).find(({ id }) => id === params.id);
    if (!row) throw notFound();
    return { row };
  },
};
