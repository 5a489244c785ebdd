// The import of a path.
import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { requireIndependence } from '#identity/people/index.ts';
import { type BatchRow, findBatch } from '../rows/batches.ts';

type Request = Parameters<AppScope<BatchRow>['resolve']>[0];

async function batchOf({ trx, params }: Request): Promise<BatchRow> {
  const row = await findBatch(trx, params.batchId ?? '');
  if (!row) throw notFound();
  return row;
}

export const batchInPath: AppScope<BatchRow> = {
  reach: 'P',
  resolve: async (request) => ({ row: await batchOf(request) }),
};

export const foreignBatchInPath: AppScope<BatchRow> = {
  reach: 'P (not importer)',
  resolve: async (request) => {
    const row = await batchOf(request);
    if (row.importedBy === request.actor.userId) {
      throw denied('An import must be approved by another person than its importer.');
    }
    const { services, trx, actor, now } = request;
    await requireIndependence(services.config, trx, { writers: [row.importedBy], approver: actor.userId, now });
    return { row };
  },
};
