// Scopes of a narrative in the path.
import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { requireIndependence } from '#identity/people/index.ts';
import { findNarrative, type NarrativeRow } from './store.ts';

type Request = Parameters<AppScope<NarrativeRow>['resolve']>[0];

async function narrativeOf({ trx, params }: Request): Promise<NarrativeRow> {
  const row = await findNarrative(trx, params.id ?? '');
  if (!row) throw notFound();
  return row;
}

/** Authors may reject their own text, to withdraw it. */
export const narrativeInPath: AppScope<NarrativeRow> = {
  reach: 'P',
  resolve: async (request) => ({ row: await narrativeOf(request) }),
};

export const foreignNarrativeInPath: AppScope<NarrativeRow> = {
  reach: 'P (not author)',
  resolve: async (request) => {
    const row = await narrativeOf(request);
    if (row.authorUserId === request.actor.userId) throw denied('A text is approved by a person who did not write it.');
    const { services, trx, actor, now } = request;
    await requireIndependence(services.config, trx, { writers: [row.authorUserId], approver: actor.userId, now });
    return { row };
  },
};
