// The reach of documents: a caller may read each document that they may request now, also those of other requesters.
import type { AppScope } from '#core/module/route.ts';
import { AppError, denied, notFound } from '#core/platform/errors.ts';
import { organizationOf } from '#identity/people/index.ts';
import { type KnownReport, reportsWithFiles } from '../rows/store.ts';
import { reportKindOf, sharedKinds } from '../services.ts';

export const reportInReach: AppScope<KnownReport> = {
  reach: 'C; papers C (ClassTeacher, admin); board O',
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
    await reportKindOf(services, job.kind).requireReach(request, job).catch(refuseMissing);
    return { row: job, organization };
  },
};

/** The subject of the document no longer exists, so that no caller may request it. */
function refuseMissing(error: unknown): never {
  throw error instanceof AppError && error.code === 'NOT_FOUND' ? denied() : error;
}
