// The values that a constant had: by which change, approved by whom, in force from when to when, for how many students.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOvertaken, type Versions } from '#rules/rulesets/index.ts';

type Value = string | number | boolean;

interface VersionRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly value: Value;
  readonly publishedAt: string;
  readonly authorUserId: number | null;
  readonly approvedBy: readonly number[];
  readonly changeId: string | null;
  readonly title: string | null;
  readonly why: string | null;
  /** Students of the report that was approved. */
  readonly predicted: number | null;
}

const versions = `
  select v.id, v.family || '/' || v.key as name, v.version, k.value -> 'value' as value, v.published_at, v.author_user_id,
    v.approved_by, c.id as change_id, c.title, c.why,
    (select (j.report #>> '{students,changed}')::integer from rule_change_approval a
      join rule_job j on j.kind = 'impact' and j.subject = a.change_id and j.report_hash = a.report_hash
      where a.change_id = c.id and a.submission = c.submission order by a.at desc limit 1) as predicted
  from rule_version v
  cross join lateral (select v.document::jsonb #> array['constants', :id] as value) k
  left join rule_change_document d on (d.family, d.key, d.version, d.sha256) = (v.family, v.key, v.version, v.sha256)
    and exists (select from rule_change p where p.id = d.change_id and p.state = 'published')
  left join rule_change c on c.id = d.change_id
  where k.value is not null order by v.family, v.key, v.version`;

interface EntryRow {
  readonly activeFrom: string;
  readonly versions: Versions;
  /** Students whom the recompute gave another result; null where nothing was recomputed. */
  readonly changed: number | null;
}

const entries = `
  select a.active_from, b.versions,
    (select sum(coalesce((j.report ->> 'changed')::integer, 0)) from rule_job j
      where j.kind = 'recompute' and j.subject = a.id::text)::integer as changed
  from rule_activation a join rule_bundle b on b.id = a.bundle_id
  where a.active_from <= :now::timestamptz and not ${isOvertaken} order by a.id`;

interface Period {
  readonly value: Value;
  readonly held: readonly VersionRow[];
  readonly activeFrom: string | null;
  readonly activeTo: string | null;
  readonly changed: number | null;
}

/** Returns the values newest first; those that were published and never in force come before all others. */
export async function constantHistory(trx: Trx, id: string, now: Date) {
  const rows = await rowsOf<VersionRow>(trx, versions, { id });
  const timeline = await rowsOf<EntryRow>(trx, entries, { now: now.toISOString() });
  const periods = periodsOf(rows, timeline);
  const seen = new Set(periods.flatMap(({ held }) => held.map((one) => one.id)));
  return [...waitingValues(rows.filter((one) => !seen.has(one.id))), ...periods.reverse()].map(presentPeriod);
}

function periodsOf(rows: readonly VersionRow[], timeline: readonly EntryRow[]): Period[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const periods: Period[] = [];
  for (const { activeFrom, versions: pins, changed } of timeline) {
    const held = Object.entries(pins).flatMap(([name, version]) => byId.get(`${name}@${version}`) ?? []);
    const [first] = held;
    const last = periods.at(-1);
    if (first && last && last.activeTo === null && last.value === first.value) continue;
    if (last && last.activeTo === null) periods[periods.length - 1] = { ...last, activeTo: activeFrom };
    if (first) periods.push({ value: first.value, held, activeFrom, activeTo: null, changed });
  }
  return periods;
}

/** Values of changes that were published and not put in force; those of releases that brought nothing new are left out. */
function waitingValues(rows: readonly VersionRow[]): Period[] {
  const changes = new Map<string, VersionRow[]>();
  for (const row of rows) {
    if (row.changeId !== null) changes.set(row.changeId, [...(changes.get(row.changeId) ?? []), row]);
  }
  return [...changes.values()]
    .map((held) => ({ value: held[0]?.value ?? 0, held, activeFrom: null, activeTo: null, changed: null }))
    .sort((one, other) => ((one.held[0]?.publishedAt ?? '') < (other.held[0]?.publishedAt ?? '') ? 1 : -1));
}

/** The change is that of the newest version that holds the value. */
function presentPeriod({ value, held, activeFrom, activeTo, changed }: Period) {
  const newest = held.toSorted((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1))[0];
  return {
    value,
    versions: held.map(({ id }) => id).sort(),
    changeId: newest?.changeId ?? null,
    title: newest?.title ?? null,
    why: newest?.why ?? null,
    authorUserId: newest?.authorUserId ?? null,
    approvedBy: [...(newest?.approvedBy ?? [])],
    publishedAt: newest?.publishedAt ?? null,
    activeFrom,
    activeTo,
    predicted: newest?.predicted ?? null,
    changed,
  };
}
