// Who may see a document: whoever asked for it, as long as what it is about is in reach, and administrators.
import type { AppScope } from '../../kernel/route.ts';
import { organizationOf } from '../../people/index.ts';
import { denied, notFound } from '../../platform/errors.ts';
import { type KnownReport, reportsWithFiles } from '../rows/store.ts';
import { kindOf, sharedKinds } from '../services.ts';

export const reportInReach: AppScope<KnownReport> = {
  reach: 'who asked for it; admin',
  resolve: async (request) => {
    const { services, trx, actor, params } = request;
    const found = await reportsWithFiles(trx)
      .findOne({
        ...(actor.organizationId !== null && { organizationId: actor.organizationId }),
        id: params.jobId ?? '',
      })
      .whereIn(
        'kind',
        sharedKinds(services.capabilities).map(({ kind }) => kind),
      );
    if (!found) throw notFound();
    const job = found as KnownReport;
    const organization = await organizationOf(request, job.organizationId);
    if (actor.persona === 'ADMIN') return { row: job, organization };
    if (actor.userId !== job.requestedBy) throw denied('Somebody else asked for this document.');
    await kindOf(services, job.kind).requireReach(request, job);
    return { row: job, organization };
  },
};
