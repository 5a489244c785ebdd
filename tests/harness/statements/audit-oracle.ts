// Derives the expected audit entries from the database itself while a test file runs: triggers that exist only in tests
// record every change of an audited table under a named writer. At the end of the file, entries and recorded changes
// must be equal, else the file fails. Audit entries of reads are tested in
// `tests/contract/answers/disclosures.test.ts`.
import { type AuditedTables, auditedOf } from '#core/module/audit-writer.ts';
import type { Db } from '#core/platform/db.ts';

export interface AuditOracle {
  /** The caller installs it before the first change. */
  install(): Promise<void>;
  /** Throws an Error that lists missing and unexpected entries. */
  check(): Promise<void>;
}

type Capabilities = Parameters<typeof auditedOf>[0];

export const auditOracle = (owner: Db, capabilities: Capabilities): AuditOracle => ({
  async install() {
    const { rows } = await owner.raw("select to_regnamespace('audit_oracle') as other");
    // A test file may start the service twice.
    if (rows[0]?.other === null) await owner.raw(`${notes}; ${triggersOf(auditedOf(capabilities))}`);
  },
  async check() {
    const differences = await differencesOf(owner);
    if (differences.length > 0) throw new Error(`The record of changes differs:\n${differences.join('\n')}`);
  },
});

/** Returns an empty list when audit entries and recorded changes agree. */
export async function differencesOf(owner: Db): Promise<string[]> {
  const { rows } = await owner.raw(`
    select 'missing: ' || e::text as difference from (select ${columns} from audit_oracle.entry except all select ${columns} from audit_entry) e
    union all
    select 'too many: ' || e::text from (select ${columns} from audit_entry where action <> 'read' except all select ${columns} from audit_oracle.entry) e
    order by 1`);
  return rows.map(({ difference }: { difference: string }) => difference);
}

/** Columns in alphabetical order, whatever the collation of the database. */
const columns = `organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
  array(select c collate "C" from unnest(changed_fields) c order by 1) as changed_fields, before, after`;

/** Kept in a schema of its own, which checks over the service's tables do not see. */
const notes = `
  create schema audit_oracle;
  create table audit_oracle.entry as table audit_entry with no data;
  create function audit_oracle.kept(image jsonb, fields text[]) returns jsonb language sql immutable as $$
    select case when image is null then null
      else (select coalesce(jsonb_object_agg(f, image -> f), '{}') from unnest(fields) f) end
  $$;
  create function audit_oracle.note() returns trigger language plpgsql security definer as $$
  declare
    writer jsonb := nullif(current_setting('app.writer', true), '')::jsonb;
    was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    image jsonb := coalesce(is_now, was);
    changed text[] := array(select k from jsonb_object_keys(image) k where was -> k is distinct from is_now -> k and k <> 'name_folded');
  begin
    if writer is null or changed = '{}' then return null; end if;
    insert into audit_oracle.entry (organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
      changed_fields, before, after)
    values (coalesce(image ->> tg_argv[2], 'platform'), (writer ->> 'at')::timestamptz, (writer ->> 'actor')::bigint,
      writer ->> 'operation', writer ->> 'requestId', tg_argv[0], image ->> tg_argv[1], lower(tg_op), changed,
      audit_oracle.kept(was, tg_argv[3:]), audit_oracle.kept(is_now, tg_argv[3:]));
    return null;
  end $$`;

/** The table is named explicitly: on a partitioned table, a trigger would report the partition. */
const triggersOf = (tables: AuditedTables): string =>
  Object.entries(tables)
    .map(([table, { id, organization = 'organization_id', fields }]) => {
      const names = [table, id, organization, ...fields].map((name) => `'${name}'`).join(', ');
      return `create trigger audit_oracle after insert or update or delete on ${table}
        for each row execute function audit_oracle.note(${names})`;
    })
    .join('; ');
