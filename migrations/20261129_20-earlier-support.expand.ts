// Why a tier began before it was decided in the service; null for all other decisions.
import type { Knex } from 'knex';
import { effectiveReasons } from '#support/rti/engine/vocabulary.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rti_decision add column effective_reason text;
    alter table rti_decision add constraint rti_decision_effective_reason_check
      check (${oneOf('effective_reason', effectiveReasons)}) not valid;
    alter table rti_decision validate constraint rti_decision_effective_reason_check;
  `);
}
