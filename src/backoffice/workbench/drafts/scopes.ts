// The scope of a draft that the path names. It is looked up within its set, so that a draft of another set is not found.

import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { type DraftRow, findDraft } from './store.ts';

type Request = Parameters<AppScope<DraftRow>['resolve']>[0];

async function draftOf({ trx, params }: Request): Promise<DraftRow> {
  const row = await findDraft(trx, params.draftId ?? '');
  if (!row || row.family !== params.family || row.key !== params.key) throw notFound();
  return row;
}

export const ruleDraftInPath: AppScope<DraftRow> = {
  reach: 'P',
  resolve: async (request) => ({ row: await draftOf(request) }),
};

/** For reviewers: authors and editors of the text are refused. */
export const foreignDraftInPath: AppScope<DraftRow> = {
  reach: 'P (not author or editor)',
  resolve: async (request) => {
    const row = await draftOf(request);
    const own = [row.authorUserId, ...row.editorUserIds].includes(request.actor.userId);
    if (own) throw denied('A text is reviewed by a person who did not write it.');
    return { row };
  },
};
