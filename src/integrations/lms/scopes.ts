// Whose connection, preview or run it is: its organization's, with no difference between a missing one and another's.
import type { Actor } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { enterOrganization, organizationOf } from '#identity/people/index.ts';
import { LmsConnection } from './connections/rows.ts';

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
}

/**
 * The organization that a write is for: the caller's own, or the one that a SUPER caller names. NOT_FOUND for another one,
 * VALIDATION_ERROR where a SUPER caller names none, DEMO_READ_ONLY for a demo.
 */
export async function organizationForWrite(caller: Caller, named: string | undefined): Promise<string> {
  return (await enterOrganization(caller, wanted(caller, named))).id;
}

/** The same for a read, which a demo allows. */
export async function organizationForRead(caller: Caller, named: string | undefined): Promise<string> {
  return (await organizationOf(caller, wanted(caller, named))).id;
}

function wanted({ actor }: Caller, named: string | undefined): string {
  const own = actor.organizationId;
  if (own === null) {
    if (named === undefined) throw invalid('organizationId', 'is required');
    return named;
  }
  if (named !== undefined && named !== own) throw notFound();
  return own;
}

/** The filter of a list. NOT_FOUND for an ADMIN who names another organization. */
export function organizationFilter(actor: Actor, named: string | undefined): string | undefined {
  if (actor.organizationId === null) return named;
  if (named !== undefined && named !== actor.organizationId) throw notFound();
  return actor.organizationId;
}

/** It waited for its provider, and was not finished in time. */
const hasRunOut = ({ expiresAt }: LmsConnection, now: Date): boolean =>
  expiresAt !== null && new Date(expiresAt) <= now;

export const connectionInOrganization: AppScope<LmsConnection> = {
  reach: 'O',
  resolve: async ({ trx, actor, params, now }) => {
    const query = LmsConnection.query(trx).findOne({ id: params.id ?? '' });
    if (actor.organizationId !== null) query.where({ organizationId: actor.organizationId });
    const row = await query;
    if (!row || hasRunOut(row, now)) throw notFound();
    return { row, organization: await organizationOf({ trx, actor }, row.organizationId) };
  },
};
