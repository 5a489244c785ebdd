// Runs store each response of their input as a list: the index of the session, the item, the sub-skill, and its
// properties.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace view sse_response_code with (security_invoker=true) as
      select r.organization_id, r.id as run_id, (u.place - 1)::integer as position,
        (r.input -> 'sessions' -> (u.response ->> 0)::integer ->> 'sessionId') || '/' || (u.response ->> 1)
          as response_ref,
        u.response ->> 2 as sub_skill_code, r.response_rule_ids[u.place] as rule_id,
        r.response_codes[u.place] as code, 'ADR@' || (r.rule_versions ->> 'adr/adr') as rule_version
      from sse_run r
      cross join lateral json_array_elements(r.input -> 'responses') with ordinality as u (response, place);
  `);
}
