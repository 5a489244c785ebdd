// Scopes of connections, previews and runs, and the organization that a request is for.
import type { QueryBuilder } from 'objection';
import type { Actor } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import type { Row } from '#core/platform/model.ts';
import { enterOrganization, organizationOf } from '#identity/people/index.ts';
import { LmsConnection } from './connections/rows.ts';
import { LmsPreview } from './preview/rows.ts';
import { LmsSyncRun } from './runs/rows.ts';

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
}

/**
 * Returns the organization of a write: the caller's own, or the one that a SUPER caller names. Throws NOT_FOUND for another
 * organization, VALIDATION_ERROR when a SUPER caller names none, and DEMO_READ_ONLY for a demo.
 */
export async function organizationForWrite(caller: Caller, named: string | undefined): Promise<string> {
  return (await enterOrganization(caller, namedOrganization(caller, named))).id;
}

/** Like `organizationForWrite`, for a read, which a demo allows. */
export async function organizationForRead(caller: Caller, named: string | undefined): Promise<string> {
  return (await organizationOf(caller, namedOrganization(caller, named))).id;
}

function namedOrganization({ actor }: Caller, named: string | undefined): string {
  const own = actor.organizationId;
  if (own === null) {
    if (named === undefined) throw invalid('organizationId', 'is required');
    return named;
  }
  if (named !== undefined && named !== own) throw notFound();
  return own;
}

/** Returns the filter of a list. Throws NOT_FOUND when an ADMIN names another organization. */
export function organizationFilter(actor: Actor, named: string | undefined): string | undefined {
  if (actor.organizationId === null) return named;
  if (named !== undefined && named !== actor.organizationId) throw notFound();
  return actor.organizationId;
}

/** Returns a scope of rows of the caller's organization. A row of another organization is not found, like a missing one. */
const rowInOrganization = <Found extends Row & { readonly organizationId: string }>(
  queryIn: (trx: Trx) => QueryBuilder<Found, Found[]>,
  idParameter: string,
): AppScope<Found> => ({
  reach: 'O',
  resolve: async ({ trx, actor, params }) => {
    const query = queryIn(trx).findOne({ id: params[idParameter] ?? '' });
    if (actor.organizationId !== null) query.where({ organizationId: actor.organizationId });
    const row = await query;
    if (!row) throw notFound();
    return { row, organization: await organizationOf({ trx, actor }, row.organizationId) };
  },
});

const connections = rowInOrganization((trx) => LmsConnection.query(trx), 'id');

/** A pending connection that has expired is not found. */
export const connectionInOrganization: AppScope<LmsConnection> = {
  ...connections,
  resolve: async (request) => {
    const { row, organization } = await connections.resolve(request);
    if (row.expiresAt !== null && new Date(row.expiresAt) <= request.now) throw notFound();
    return { row, ...(organization && { organization }) };
  },
};

export const previewInOrganization = rowInOrganization((trx) => LmsPreview.query(trx), 'previewId');

export const runInOrganization = rowInOrganization((trx) => LmsSyncRun.query(trx), 'id');
