// Checks the statements of the service: outside the platform's role, a statement on tenant tables must name the
// organization of each table, also in nested statements, else the test file fails.
import { type Db, platformRole } from '#core/platform/db.ts';
import { namelessTables } from './sql-scopes.ts';

interface Query {
  readonly __knexUid: string;
  readonly sql: string;
  readonly bindings?: readonly unknown[];
}

export interface Watch {
  /** Throws an Error that lists the statements found so far. */
  check(owner: Db): Promise<void>;
}

export function watchStatements(watched: readonly Db[]): Watch {
  const roles = new Map<string, unknown>();
  const seen = new Set<string>();
  const look = ({ __knexUid: connection, sql, bindings = [] }: Query) => {
    if (/^(begin|commit|rollback)\b(?! to)/i.test(sql)) roles.delete(connection);
    const role =
      /set_config\('role', '(\w+)'/.exec(sql)?.[1] ?? (sql.includes('set_config(') ? boundRole(bindings) : undefined);
    if (role !== undefined) roles.set(connection, role);
    else if (roles.get(connection) !== platformRole) seen.add(sql);
  };
  for (const db of watched) db.on('query', look);
  return {
    async check(owner) {
      const tables = await tenantTables(owner);
      const nameless = [...seen].flatMap((sql) => {
        const found = namelessTables(sql, tables);
        return found.length > 0 ? [`${found.join(', ')}: ${sql}`] : [];
      });
      if (nameless.length > 0) {
        throw new Error(`Statements that do not name the organization:\n${nameless.join('\n')}`);
      }
    },
  };
}

/** The bindings are alternating names and values of settings. */
const boundRole = (bindings: readonly unknown[]): unknown =>
  bindings.includes('role') ? bindings[bindings.indexOf('role') + 1] : undefined;

/**
 * Views of the information schema would also check rights column by column, which takes ten times as long in every
 * file.
 */
export async function tenantTables(owner: Db): Promise<ReadonlySet<string>> {
  const { rows } = await owner.raw(`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'f')
      and a.attname = 'organization_id' and not a.attisdropped`);
  return new Set(rows.map(({ name }: { name: string }) => name));
}
