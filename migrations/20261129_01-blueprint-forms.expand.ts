// A goal step may have two forms of a lesson, with other check items of the same sub-skills. What is published is form A.
import type { Knex } from 'knex';
import { blueprintForms } from '#teaching/lesson-blueprints/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table session_blueprint add column form text not null default 'A';
    alter table session_blueprint add constraint session_blueprint_form_check
      check (${oneOf('form', blueprintForms)}) not valid;
    alter table session_blueprint validate constraint session_blueprint_form_check;
  `);
}
