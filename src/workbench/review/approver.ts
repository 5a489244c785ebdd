// Four eyes are two people, not two accounts: whoever holds an account's fate holds its vote. An approval is therefore
// refused while the account is fresh from the hands of those who wrote the text, or fresh altogether.

import type { AppScope } from '../../kernel/route.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { foreignDraftInPath } from '../drafts/scopes.ts';
import type { DraftRow } from '../drafts/store.ts';

const hourMs = 3_600_000;

/** The draft in the path, for an approver who is somebody else than its author and editors: PERMISSION_DENIED. */
export const draftToApprove: AppScope<DraftRow> = {
  reach: foreignDraftInPath.reach,
  resolve: async (request) => {
    const found = await foreignDraftInPath.resolve(request);
    const { services, trx, actor, now } = request;
    const waitMs = services.config.approverWaitHours * hourMs;
    if (waitMs > 0) await requireIndependence(trx, found.row, actor.userId, new Date(now.getTime() - waitMs));
    return found;
  },
};

async function requireIndependence(trx: Trx, draft: DraftRow, userId: number, since: Date): Promise<void> {
  if (await isFresh(trx, userId, since)) {
    throw notIndependent('approver_too_new', 'This account is too new to approve rules.');
  }
  if (await touchedByWriters(trx, draft, userId, since)) {
    throw notIndependent('approver_not_independent', 'Whoever wrote this text has just made or changed your account.');
  }
}

const notIndependent = (issue: string, message: string) =>
  new AppError('PERMISSION_DENIED', message, { details: [{ field: '', issue }] });

/** The very first administrator had nobody to be made by. */
async function isFresh(trx: Trx, userId: number, since: Date): Promise<boolean> {
  const first = trx('app_user').where({ scope: 'SUPER' }).min('id');
  const fresh = await trx('app_user')
    .where({ id: userId })
    .where('createdAt', '>', since)
    .whereNot('id', first)
    .first('id');
  return fresh !== undefined;
}

/** The record of changes knows who made, changed, closed or opened an account; nobody can write it otherwise. */
async function touchedByWriters(trx: Trx, draft: DraftRow, userId: number, since: Date): Promise<boolean> {
  const touched = await trx('audit_entry')
    .where({ entity: 'app_user', entityId: String(userId) })
    .whereIn('actorUserId', [draft.authorUserId, ...draft.editorUserIds])
    .where('at', '>', since)
    .first('id');
  return touched !== undefined;
}
