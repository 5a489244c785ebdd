// Paged lists of organizations, and of schools in the caller's reach.

import { defaultLimit, keyInCursor, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { schoolsInReach } from '../reach/reach.ts';
import { Organization, School } from '../records/organizations.ts';
import { presentOrganization, presentSchool } from './present.ts';

export async function listOrganizations(trx: Trx, { limit = defaultLimit, cursor }: PageQuery) {
  const query = Organization.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['string']);
  if (after) query.where('id', '>', after[0] ?? '');
  return pageOf(await query, limit, ({ id }) => [id], presentOrganization);
}

export async function listSchools(trx: Trx, actor: Actor, input: PageQuery & { organizationId?: string }) {
  const { limit = defaultLimit, cursor, organizationId } = input;
  const query = School.query(trx)
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['string']);
  if (after) query.where('id', '>', after[0] ?? '');
  if (organizationId !== undefined) query.where({ organizationId });
  const own = schoolsInReach(trx, actor);
  if (own) query.whereIn('id', own);
  return pageOf(await query, limit, ({ id }) => [id], presentSchool);
}
