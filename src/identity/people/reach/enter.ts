// Some ids arrive in a body: the organization of a new school, the school of a new class. This is how a handler enters
// the organization they belong to, with the same answers as a path id would get.
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
 * Narrows the transaction to one organization, for a write. NOT_FOUND where the caller cannot see it; DEMO_READ_ONLY
 * where it is a demo.
 */
export async function enterOrganization({ trx, actor }: Caller, organizationId: string): Promise<Organization> {
  const organization = await Organization.query(trx).findById(organizationId);
  if (!organization) throw notFound();
  if (organization.isDemo) throw demoReadOnly();
  if (actor.organizationId === null) await enterContext(trx, { organizationId });
  return organization;
}
