// How tables of the clean start took part in the record of changes while triggers wrote it. Those made since do so in their
// capability (`audited`), like these ones now.
import type { Knex } from 'knex';

/**
 * Every row that a signed-in caller adds, changes or removes leaves an entry. `fields` are the columns whose values may
 * be kept for ever: nothing personal, no hash. Of all other columns only the names of the changed ones are kept.
 */
export async function audited(knex: Knex, table: string, idColumn: string, fields: readonly string[]): Promise<void> {
  const organization = table === 'organization' ? 'id' : 'organization_id';
  const names = [idColumn, organization, ...fields].map((name) => `'${name}'`).join(', ');
  await knex.raw(`
    create trigger ${table}_audit after insert or update or delete on ${table}
      for each row execute function record_audit(${names});
  `);
}
