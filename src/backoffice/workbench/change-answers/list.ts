// Lists changes newest first, by their creation, which does not change while a client reads further pages.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { accountActs } from '#identity/people/index.ts';
import { type ChangeRow, RuleChange } from '../changes/store.ts';
import { type ChangeState, editableStates } from '../enums.ts';

export interface ChangesQuery extends PageQuery {
  readonly state?: ChangeState | 'open';
  readonly family?: string;
  readonly authorUserId?: number;
  readonly waitingFor?: 'me';
  readonly q?: string;
}

/** `waitingFor`: in review, the caller may judge them, and has not approved yet. */
export async function changePage(
  { config }: Pick<Services, 'config'>,
  trx: Trx,
  { state, family, authorUserId, waitingFor, q, limit = defaultLimit, cursor }: ChangesQuery,
  reader: { readonly userId: number; readonly permissions: ReadonlySet<string>; readonly now: Date },
): Promise<Page<ChangeRow>> {
  const query = RuleChange.query(trx)
    .alias('c')
    .orderBy([
      { column: 'c.createdAt', order: 'desc' },
      { column: 'c.id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (state === 'open') query.whereIn('c.state', [...editableStates, 'in_review']);
  else if (state !== undefined) query.where({ 'c.state': state });
  if (authorUserId !== undefined) query.where({ 'c.authorUserId': authorUserId });
  if (family !== undefined) query.whereRaw(`exists (${ofFamily})`, [family]);
  if (q !== undefined)
    query.whereRaw(`(c.title ilike ? or c.why ilike ? or exists (${named}))`, Array(3).fill(within(q)));
  if (waitingFor === 'me') await requireWaiting(config, trx, query, reader);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(c.created_at, c.id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const rows: ChangeRow[] = await query.select('c.*');
  return pageOf(
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => row,
  );
}

const ofFamily = 'select from rule_change_document d where d.change_id = c.id and d.family = ?';
const named = `select from rule_change_document d where d.change_id = c.id and d.family || '/' || d.key ilike ?`;

const within = (text: string): string => `%${text.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

async function requireWaiting(
  config: Services['config'],
  trx: Trx,
  query: ReturnType<typeof RuleChange.query>,
  {
    userId,
    permissions,
    now,
  }: { readonly userId: number; readonly permissions: ReadonlySet<string>; readonly now: Date },
): Promise<void> {
  const oldest: { createdAt: string } | undefined = await RuleChange.query(trx)
    .where({ state: 'in_review' })
    .orderBy('createdAt')
    .select('createdAt')
    .first();
  const acts = await accountActs(config, trx, userId, { earliest: new Date(oldest?.createdAt ?? now), now });
  query.where({ 'c.state': 'in_review' }).whereRaw('not ? = any (c.editor_user_ids || c.author_user_id)', [userId]);
  query.whereRaw(
    `not exists (select from rule_change_approval a
       where a.change_id = c.id and a.user_id = ? and a.submission = c.submission)`,
    [userId],
  );
  if (!permissions.has('APPROVE_RULES') || acts?.isTooNew) query.whereRaw('false');
  if (!acts) return;
  query.whereRaw(
    `not exists (select from jsonb_to_recordset(?::jsonb) as t ("actorUserId" bigint, at timestamptz)
       where t."actorUserId" = any (c.editor_user_ids || c.author_user_id) and t.at > least(c.created_at, ?::timestamptz))`,
    [JSON.stringify(acts.changes), acts.since.toISOString()],
  );
}
