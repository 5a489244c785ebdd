// An account of a student that was merged into another one: it keeps its rows, and everything that moved to the other
// account names the account that it came from, so that an undo finds it.
import type { Knex } from 'knex';
import { userStatuses } from '#identity/people/records/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table app_user add column merged_into_id bigint,
      drop constraint app_user_status_check,
      add constraint app_user_status_check check (${oneOf('status', userStatuses)}) not valid,
      add constraint app_user_merged check ((status = 'merged') = (merged_into_id is not null)
        and (merged_into_id is null or (primary_persona = 'STUDENT' and merged_into_id <> id))) not valid,
      add constraint app_user_merged_into foreign key (organization_id, merged_into_id)
        references app_user (organization_id, id) not valid;
    alter table parent_student add column merged_from bigint,
      add constraint parent_student_merged_from foreign key (organization_id, merged_from)
        references app_user (organization_id, id) not valid;
    alter table external_identity add column merged_from bigint,
      add constraint external_identity_merged_from foreign key (organization_id, merged_from)
        references app_user (organization_id, id) not valid;
  `);
}
