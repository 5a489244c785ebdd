// Writes a database's schema as text, in an order that depends on names alone, so that reviewers see changes of the schema. It
// is not executed: databases are created by the migrations.
import { type Db, platformRole, runtimeRole } from '#core/platform/db.ts';

/** Each query returns one column `line`, in order. `:role` and `:platform` are the run-time roles. */
const sections: readonly { readonly title: string; readonly sql: string }[] = [
  {
    title: 'Functions',
    sql: `select pg_get_functiondef(p.oid) || ';' as line from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${notFromExtension('p')}
      order by p.proname, pg_get_function_identity_arguments(p.oid)`,
  },
  {
    title: 'Types',
    sql: `select format('create type %s as enum (%s);', t.typname,
        (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
          from pg_enum e where e.enumtypid = t.oid)) as line
      from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'e' order by t.typname`,
  },
  {
    title: 'Tables',
    sql: `select format(E'create %stable %I (\\n%s\\n)%s;',
        case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname, string_agg(part, E',\\n' order by rank, at, part),
        coalesce(' partition by ' || lower(pg_get_partkeydef(c.oid)), '')) as line
      from pg_class c cross join lateral (
        select 1 as rank, a.attnum as at, format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case
            when a.attidentity <> '' then format(' generated %s as identity', case a.attidentity when 'a' then 'always' else 'by default' end)
            when a.attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
            else '' end,
          case when a.attnotnull then ' not null' else '' end) as part
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        union all
        select case k.contype when 'p' then 2 when 'u' then 3 when 'c' then 4 else 5 end, 0,
          format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f', 'x') and k.conparentid = 0
      ) parts
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and ${notFromExtension('c')}
      group by c.oid order by c.relname`,
  },
  {
    title: 'Partitions',
    sql: `select format('create table %I partition of %I %s;', c.relname, i.inhparent::regclass, lower(pg_get_expr(c.relpartbound, c.oid))) as line
      from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r' order by c.relname`,
  },
  {
    title: 'Views',
    sql: `select format(E'create %s %I%s as\\n%s', case c.relkind when 'm' then 'materialized view' else 'view' end, c.relname,
        coalesce(format(' with (%s)', array_to_string(c.reloptions, ', ')), ''), pg_get_viewdef(c.oid)) as line
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm') order by c.relname`,
  },
  {
    title: 'Indexes',
    sql: `select pg_get_indexdef(i.indexrelid) || ';' as line from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and not t.relispartition
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      order by t.relname, c.relname`,
  },
  {
    title: 'Triggers',
    sql: `select pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgparentid = 0 order by c.relname, t.tgname`,
  },
  {
    title: 'Row-level security',
    sql: `select format('alter table %I %s row level security;', c.relname, verb) as line
      from pg_class c cross join lateral (values ('enable', c.relrowsecurity), ('force', c.relforcerowsecurity)) wall(verb, stands)
      where c.relnamespace = 'public'::regnamespace and stands order by c.relname, verb`,
  },
  {
    title: 'Policies',
    sql: `select format(E'create policy %I on %I as %s for %s to %s\\n  using (%s)\\n  with check (%s);',
        policyname, tablename, lower(permissive), lower(cmd), array_to_string(roles, ', '),
        coalesce(qual, '-'), coalesce(with_check, '-')) as line
      from pg_policies where schemaname = 'public' order by tablename, policyname`,
  },
  {
    title: 'Grants to the run-time roles',
    sql: `select format('grant %s on %I to %s;', string_agg(privilege, ', ' order by privilege), relation, grantee) as line
      from (
        select lower(g.privilege_type) as privilege, c.relname as relation, g.grantee::regrole as grantee
        from pg_class c, aclexplode(c.relacl) g
        where c.relnamespace = 'public'::regnamespace and g.grantee in (to_regrole(:role), to_regrole(:platform))
        union all
        select lower(g.privilege_type) || ' (' || string_agg(a.attname, ', ' order by a.attnum) || ')', c.relname, g.grantee::regrole
        from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) g
        where c.relnamespace = 'public'::regnamespace and g.grantee in (to_regrole(:role), to_regrole(:platform))
        group by g.privilege_type, c.relname, g.grantee
      ) granted group by relation, grantee order by relation, grantee`,
  },
];

function notFromExtension(alias: string): string {
  return `not exists (select from pg_depend x where x.objid = ${alias}.oid and x.deptype = 'e')`;
}

export async function dumpSchema(db: Db): Promise<string> {
  const parts = ['-- Generated by `npm run generate` from the migrations. For review; never applied.'];
  for (const { title, sql } of sections) {
    const { rows }: { rows: { line: string }[] } = await db.raw(sql, { role: runtimeRole, platform: platformRole });
    if (rows.length > 0) parts.push(`-- ${title}`, rows.map(({ line }) => line.trimEnd()).join('\n\n'));
  }
  return `${parts.join('\n\n')}\n`;
}
