// Reads names by ids of all organizations. Keys begin with the organization, so each organization is asked for the ids.
import type { Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface NamedIds {
  readonly users: readonly number[];
  readonly schools: readonly string[];
  readonly classes: readonly number[];
  readonly organizations: readonly string[];
}

interface Name<Id> {
  readonly id: Id;
  readonly name: string;
}

/** An account without a name is named by its address; an erased one has neither. */
const userName = 'coalesce(full_name_ar, email)';

/** The caller is in the SUPER context. Each list is in the order of its ids. */
export async function namesOf(trx: Trx, { users, schools, classes, organizations }: NamedIds) {
  return {
    users: await named<number>(trx, users, inEach('app_user', userName, 'bigint', "status <> 'deleted'")),
    schools: await named<string>(trx, schools, inEach('school', 'name', 'text')),
    classes: await named<number>(trx, classes, inEach('class', 'name', 'bigint')),
    organizations: await named<string>(
      trx,
      organizations,
      'select id, name from organization where id = any(:ids::text[]) order by id',
    ),
  };
}

const named = async <Id extends string | number>(
  trx: Trx,
  ids: readonly Id[],
  statement: string,
): Promise<Name<Id>[]> =>
  ids.length === 0 ? [] : rowsOf(trx, statement, { ids: ids as readonly string[] | readonly number[], platform });

/** The accounts of SUPER administrators have the platform in the place of an organization. */
const platform = platformOrganizationId;

/** `offset 0` keeps the planner from reading the table and joining the organizations to it. */
const inEach = (table: string, name: string, type: string, condition = 'true') =>
  `select found.id, found.name from (select id from organization union select :platform) o cross join lateral (
     select id, ${name} as name from ${table}
     where organization_id = o.id and id = any(:ids::${type}[]) and ${name} is not null and ${condition} offset 0) found
   order by found.id`;
