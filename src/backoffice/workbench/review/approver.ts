// The scope of a draft that the path names, for people who may approve it.
import type { AppScope } from '#core/module/route.ts';
import { requireIndependence } from '#identity/people/index.ts';
import { foreignDraftInPath } from '../drafts/scopes.ts';
import type { DraftRow } from '../drafts/store.ts';

/** Throws PERMISSION_DENIED for authors and editors of the draft. */
export const draftToApprove: AppScope<DraftRow> = {
  reach: foreignDraftInPath.reach,
  resolve: async (request) => {
    const found = await foreignDraftInPath.resolve(request);
    const { services, trx, actor, now } = request;
    const { authorUserId, editorUserIds } = found.row;
    const writers = [authorUserId, ...editorUserIds];
    await requireIndependence(services.config, trx, { writers, approver: actor.userId, now });
    return found;
  },
};
