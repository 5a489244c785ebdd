// Reads of a student's status look for events of theirs that no relay has seen yet: few rows, found without a scan.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index outbox_waiting_of_student on outbox (organization_id, (payload ->> 'studentId'))
    where relayed_at is null and payload ->> 'studentId' is not null`);
}
