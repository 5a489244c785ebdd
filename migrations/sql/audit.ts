// Auditing of the first tables while triggers wrote the audit log. Later tables are declared in their capability
// (`audited`), and by now these are too.
import type { Knex } from 'knex';

/**
 * Every row that a signed-in caller inserts, updates or deletes leaves an entry. `fields` are the columns whose values
 * may be stored forever: nothing personal, no hash. Of other columns only the names of the changed ones are stored.
 */
export async function audited(knex: Knex, table: string, idColumn: string, fields: readonly string[]): Promise<void> {
  const organization = table === 'organization' ? 'id' : 'organization_id';
  const names = [idColumn, organization, ...fields].map((name) => `'${name}'`).join(', ');
  await knex.raw(`
    create trigger ${table}_audit after insert or update or delete on ${table}
      for each row execute function record_audit(${names});
  `);
}
