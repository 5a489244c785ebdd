// What a packet froze at its assembly for its document: the series of the measure, the open plans and the rules. Null in drafts
// and in packets from before, whose documents stay as they were.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table decision_packet add column figures jsonb;
    grant update (figures) on decision_packet to ${runtimeRole}, ${platformRole};
  `);
}
