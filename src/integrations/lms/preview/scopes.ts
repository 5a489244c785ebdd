// A preview is its organization's, with no difference between a missing one and another's.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { organizationOf } from '#identity/people/index.ts';
import { LmsPreview } from './rows.ts';

export const previewInOrganization: AppScope<LmsPreview> = {
  reach: 'O',
  resolve: async ({ trx, actor, params }) => {
    const query = LmsPreview.query(trx).findOne({ id: params.previewId ?? '' });
    if (actor.organizationId !== null) query.where({ organizationId: actor.organizationId });
    const row = await query;
    if (!row) throw notFound();
    return { row, organization: await organizationOf({ trx, actor }, row.organizationId) };
  },
};
