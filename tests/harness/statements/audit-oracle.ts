// What the record of changes ought to hold, found out by the database itself while a test file runs: triggers that stand in
// tests alone note every change of an audited table under a named writer. At the file's end entries and notes are the same,
// none missing and none too many, or the file fails. Entries of reads are no changes: `tests/contract/answers/disclosures.test.ts`.
import { type AuditedTables, auditedOf } from '#core/module/audit-writer.ts';
import type { Db } from '#core/platform/db.ts';

export interface AuditOracle {
  /** Before the first change. */
  install(): Promise<void>;
  /** Throws an Error that lists the entries that are missing and those that are too many. */
  check(): Promise<void>;
}

type Capabilities = Parameters<typeof auditedOf>[0];

export const auditOracle = (owner: Db, capabilities: Capabilities): AuditOracle => ({
  async install() {
    const { rows } = await owner.raw("select to_regnamespace('audit_oracle') as other");
    // A file may start the service twice.
    if (rows[0]?.other === null) await owner.raw(`${notes}; ${triggersOf(auditedOf(capabilities))}`);
  },
  async check() {
    const differences = await differencesOf(owner);
    if (differences.length > 0) throw new Error(`The record of changes differs:\n${differences.join('\n')}`);
  },
});

/** Empty when record and notes agree. */
export async function differencesOf(owner: Db): Promise<string[]> {
  const { rows } = await owner.raw(`
    select 'missing: ' || e::text as difference from (select ${columns} from audit_oracle.entry except all select ${columns} from audit_entry) e
    union all
    select 'too many: ' || e::text from (select ${columns} from audit_entry where action <> 'read' except all select ${columns} from audit_oracle.entry) e
    order by 1`);
  return rows.map(({ difference }: { difference: string }) => difference);
}

/** Names of columns in the order of their letters, whatever the database's language. */
const columns = `organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
  array(select c collate "C" from unnest(changed_fields) c order by 1) as changed_fields, before, after`;

/** In a schema of their own, which no walk over the service's tables meets. */
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
    changed text[] := array(select k from jsonb_object_keys(image) k where was -> k is distinct from is_now -> k);
  begin
    if writer is null or changed = '{}' then return null; end if;
    insert into audit_oracle.entry (organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
      changed_fields, before, after)
    values (coalesce(image ->> tg_argv[2], 'platform'), (writer ->> 'at')::timestamptz, (writer ->> 'actor')::bigint,
      writer ->> 'operation', writer ->> 'requestId', tg_argv[0], image ->> tg_argv[1], lower(tg_op), changed,
      audit_oracle.kept(was, tg_argv[3:]), audit_oracle.kept(is_now, tg_argv[3:]));
    return null;
  end $$`;

/** The table is named: of one in parts a trigger would name the part. */
const triggersOf = (tables: AuditedTables): string =>
  Object.entries(tables)
    .map(([table, { id, organization = 'organization_id', fields }]) => {
      const names = [table, id, organization, ...fields].map((name) => `'${name}'`).join(', ');
      return `create trigger audit_oracle after insert or update or delete on ${table}
        for each row execute function audit_oracle.note(${names})`;
    })
    .join('; ');
