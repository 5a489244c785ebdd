// Entering the organization of an id in a request body, such as the organization of a new school. The errors are the same
// as for an id in the path.
import { demoReadOnly } from '#core/http/refusals.ts';
import type { Actor } from '#core/http/route.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { Organization } from '../records/organizations.ts';

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
}

/**
 * Narrows the transaction to one organization, for a write. Throws NOT_FOUND when the caller cannot see it, and
 * DEMO_READ_ONLY when it is a demo.
 */
export async function enterOrganization({ trx, actor }: Caller, organizationId: string): Promise<Organization> {
  const organization = await Organization.query(trx).findById(organizationId);
  if (!organization) throw notFound();
  if (organization.isDemo) throw demoReadOnly();
  if (actor.organizationId === null) await enterContext(trx, { organizationId });
  return organization;
}
