// A correction of evidence gives a series a trend without a new probe (the key is dropped in 20261128_88). An alert
// may be closed because what it rests on was voided.
import type { Knex } from 'knex';
import { closeReasons } from '#support/rti/engine/vocabulary.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table cbm_trend add column by_correction boolean not null default false;
    alter table rti_alert drop constraint rti_alert_close_reason_check;
    alter table rti_alert
      add constraint rti_alert_close_reason_check check (${oneOf('close_reason', closeReasons)}) not valid;
  `);
}
