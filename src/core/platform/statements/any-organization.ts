// Lookups by an id alone, in any organization. Keys begin with the organization, so that an index is used only if the statement
// names each organization.
import { platformOrganizationId } from '../pure/platform-organization.ts';

interface Conditions {
  whereRaw(sql: string, bindings: readonly string[]): unknown;
}

const inAny = (column: string) => `${column} = any (array(select id from organization union all select ?::text))`;

/**
 * For `modify`: adds a condition on all organizations that the caller may see, and the platform. `alias` is that of the table,
 * if it has one.
 */
export function inAnyOrganization(query: Conditions, alias?: string): void {
  const column = alias === undefined ? 'organization_id' : `${alias}.organization_id`;
  query.whereRaw(inAny(column), [platformOrganizationId]);
}
