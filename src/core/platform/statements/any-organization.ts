// For what is looked up by its id alone, in whichever organization: keys begin with the organization, so that an index is of
// use only where each is named.
import { platformOrganizationId } from '../pure/platform-organization.ts';

interface Conditions {
  whereRaw(sql: string, bindings: readonly string[]): unknown;
}

const inAny = (column: string) => `${column} = any (array(select id from organization union all select ?::text))`;

/** For `modify`: all organizations that the caller may see, and the platform. `alias`: of the table, where it has one. */
export function inAnyOrganization(query: Conditions, alias?: string): void {
  const column = alias === undefined ? 'organization_id' : `${alias}.organization_id`;
  query.whereRaw(inAny(column), [platformOrganizationId]);
}
