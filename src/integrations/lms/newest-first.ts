// Pages of connections and runs, newest first, of one organization or of all.
import type { QueryBuilder } from 'objection';
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import type { Row } from '#core/platform/model.ts';

export interface ListFilter {
  readonly limit?: number;
  readonly cursor?: string;
  readonly organizationId?: string | undefined;
}

export async function newestFirst<Found extends Row & { readonly createdAt: string; readonly id: string }, Shown>(
  query: QueryBuilder<Found, Found[]>,
  { limit = defaultLimit, cursor, organizationId }: ListFilter,
  present: (row: Found) => Shown,
) {
  query
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (organizationId !== undefined) query.where('organizationId', organizationId);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(created_at, id) < (?::timestamptz, ?)', [after[0] ?? '', after[1] ?? '']);
  return pageOf(await query, limit, ({ createdAt, id }) => [createdAt, id], present);
}
