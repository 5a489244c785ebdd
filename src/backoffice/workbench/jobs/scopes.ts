// Scopes of long jobs.
import { demoReadOnly } from '#core/http/refusals.ts';
import { findJob, type JobRow } from '#core/long-jobs/index.ts';
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { Organization } from '#identity/people/index.ts';
import { listedKinds } from './subject.ts';

/**
 * An impact or a replay of any organization. The transaction is not narrowed to the organization, because the jobs of all of
 * them are counted before another one is ordered; so the scope itself refuses those of a demo.
 */
export const writtenJob: AppScope<JobRow> = {
  reach: 'P',
  resolve: async ({ trx, params: { jobId = '' } }) => {
    for (const kind of listedKinds) {
      const job = await findJob(trx, kind, jobId);
      if (!job) continue;
      const { organizationId } = job;
      const owner = organizationId === null ? undefined : await Organization.query(trx).findById(organizationId);
      if (owner?.isDemo) throw demoReadOnly();
      return { row: job };
    }
    throw notFound();
  },
};
