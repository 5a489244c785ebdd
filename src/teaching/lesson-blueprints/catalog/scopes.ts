// The blueprint that a path names, active or superseded: sessions go on with the version that they were made from.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { findBlueprint, type StoredBlueprint } from '../rows/blueprints.ts';

export const blueprintInPath: AppScope<StoredBlueprint> = {
  reach: 'P',
  resolve: async ({ trx, params }) => {
    const row = await findBlueprint(trx, params.id ?? '');
    if (!row) throw notFound();
    return { row };
  },
};
