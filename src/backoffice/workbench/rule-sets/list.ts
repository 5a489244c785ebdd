// The catalogue of rule sets, and the versions of one, with what is in force and what is scheduled.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { activationAt, type DocumentName, type LocalText } from '#rules/rulesets/index.ts';
import { type ActivePeriod, activePeriodsOf } from '../activation/active-periods.ts';
import { allPending } from '../activation/schedule.ts';
import { changesOfVersions } from '../changes/published-by.ts';
import type { RuleSet } from '../published/scopes.ts';
import { casesOf, type VersionHead, type VersionRow, versionDocumentOf, versionHeads } from '../published/store.ts';

interface SetRow {
  readonly family: string;
  readonly key: string;
  readonly title: LocalText;
  readonly isTable: boolean;
  readonly newestVersion: number;
  readonly lastChangeAt: string;
  readonly lastChangeBy: number | null;
  readonly openChanges: number;
  /** Whether the stock engine answers for one of its versions, since the compiled table disagreed with it. */
  readonly fallbackVersions: readonly number[];
}

const sets = `
  select distinct on (v.family, v.key) v.family, v.key, v.document::jsonb #> '{meta,title}' as title,
    v.document::jsonb -> 'rules' is not null as is_table, v.version as newest_version, v.published_at as last_change_at,
    v.author_user_id as last_change_by,
    (select count(*) from rule_change_document d join rule_change c on c.id = d.change_id
      where d.family = v.family and d.key = v.key
        and c.state in ('draft', 'validated', 'in_review', 'suspended')) as open_changes,
    array(select o.version from rule_version o join lateral (select p.on_fallback from rule_engine_fallback p
        where p.document_id = o.id order by p.id desc limit 1) p on p.on_fallback
      where o.family = v.family and o.key = v.key order by 1) as fallback_versions
  from rule_version v where (v.family, v.key) > (:family, :key)
  order by v.family, v.key, v.version desc limit :limit`;

/** Returns rule sets in alphabetical order. */
export async function ruleSetPage(
  trx: Trx,
  { limit = defaultLimit, cursor }: PageQuery,
  now: Date,
): Promise<Page<ReturnType<typeof presentSet>>> {
  const [family, key] = keyInCursor(cursor, ['string', 'string']) ?? ['', ''];
  const bindings = { family: String(family), key: String(key), limit: limit + 1 };
  const rows = await rowsOf<SetRow>(trx, sets, bindings);
  const active = new Map<string, number>(Object.entries((await activationAt(trx, now))?.versions ?? {}));
  const planned = await nextPlanned(trx);
  return pageOf(
    rows,
    limit,
    (row) => [row.family, row.key],
    (row) => presentSet(row, active.get(`${row.family}/${row.key}`) ?? null, planned.get(`${row.family}/${row.key}`)),
  );
}

interface Plan {
  readonly version: number;
  readonly from: string;
}

async function nextPlanned(trx: Trx): Promise<Map<string, Plan>> {
  const next = new Map<string, Plan>();
  for (const { versions, activeFrom } of await allPending(trx)) {
    for (const [name, version] of Object.entries(versions)) {
      if (!next.has(name)) next.set(name, { version, from: activeFrom });
    }
  }
  return next;
}

const presentSet = (row: SetRow, activeVersion: number | null, plan: Plan | undefined) => ({
  family: row.family,
  key: row.key,
  title: row.title,
  kind: row.isTable ? ('table' as const) : ('values' as const),
  activeVersion,
  newestVersion: row.newestVersion,
  nextScheduled: plan ?? null,
  lastChange: { version: row.newestVersion, at: row.lastChangeAt, authorUserId: row.lastChangeBy },
  openChanges: row.openChanges,
  health: healthOf(row, activeVersion),
});

function healthOf({ fallbackVersions }: SetRow, activeVersion: number | null): 'ok' | 'not_active' | 'oracle' {
  if (activeVersion === null) return 'not_active';
  return fallbackVersions.includes(activeVersion) ? 'oracle' : 'ok';
}

/** Returns versions newest first. */
export async function versionPage(
  trx: Trx,
  { family, key }: RuleSet,
  { limit = defaultLimit, cursor }: PageQuery,
  now: Date,
) {
  const before = Number(keyInCursor(cursor, ['number'])?.[0] ?? Number.MAX_SAFE_INTEGER);
  const heads = (await versionHeads(trx, family, key)).filter(({ version }) => version < before);
  const periods = await activePeriodsOf(trx, `${family}/${key}`, now);
  const changes = await changesOfVersions(trx, heads);
  return pageOf(
    heads,
    limit,
    ({ version }) => [version],
    (head) => presentVersion(head, periods, changes),
  );
}

export async function readVersion(trx: Trx, row: VersionRow, now: Date) {
  const name: DocumentName = `${row.family}/${row.key}`;
  const periods = await activePeriodsOf(trx, name, now);
  const head = presentVersion(row, periods, await changesOfVersions(trx, [row]));
  return { ...head, document: versionDocumentOf(row), cases: [...casesOf(row)] };
}

/** `activeFrom`: the beginning of the last period in which the version was in force. */
function presentVersion(row: VersionHead, periods: readonly ActivePeriod[], changes: ReadonlyMap<string, string>) {
  const last = periods.findLast(({ version }) => version === row.version);
  const isActive = last !== undefined && last.to === null;
  return {
    version: row.version,
    state: isActive ? ('active' as const) : last ? ('retired' as const) : ('published' as const),
    sha256: row.sha256,
    goldenSha256: row.goldenSha256,
    level: row.level,
    publishedAt: row.publishedAt,
    authorUserId: row.authorUserId,
    approvedBy: [...row.approvedBy],
    activeFrom: last?.from ?? null,
    changeId: changes.get(row.id) ?? null,
    origin: row.origin,
  };
}
