// Who may judge a change: people with the permission who neither wrote nor edited it, and who are independent of those that did.
import type { AppScope } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, invalid } from '#core/platform/errors.ts';
import { approversAmong, requireIndependence } from '#identity/people/index.ts';
import { changeInPath } from './scopes.ts';
import type { ChangeRow } from './store.ts';

/** Throws PERMISSION_DENIED for authors and editors of the change, and for accounts that are not independent of them. */
export async function requireJudge(
  { config }: Pick<Services, 'config'>,
  trx: Trx,
  { authorUserId, editorUserIds, createdAt }: ChangeRow,
  userId: number,
  now: Date,
): Promise<void> {
  const writers = [authorUserId, ...editorUserIds];
  if (writers.includes(userId)) throw denied('A change is judged by a person who did not write it.');
  await requireIndependence(config, trx, { writers, approver: userId, now, since: new Date(createdAt) });
}

const judged = (reach: string): AppScope<ChangeRow> => ({
  reach,
  resolve: async (request) => {
    const found = await changeInPath.resolve(request);
    const { services, trx, actor, now } = request;
    await requireJudge(services, trx, found.row, actor.userId, now);
    return found;
  },
});

export const changeToApprove = judged('P (not author or editor, independent: 11)');
export const changeToJudge = judged('P (not author or editor)');

/** Throws VALIDATION_ERROR for people who may not approve rules. */
export async function requireReviewers(
  { config }: Pick<Services, 'config'>,
  trx: Trx,
  userIds: readonly number[] | undefined,
): Promise<void> {
  if (!userIds) return;
  const able = await approversAmong(config, trx, userIds);
  const other = userIds.findIndex((id) => !able.has(id));
  if (other >= 0) throw invalid(`requestedReviewers.${other}`, 'may not approve rules');
}
