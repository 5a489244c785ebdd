// The blueprint of a path, active or superseded: a lesson keeps the version from which it was created.
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
