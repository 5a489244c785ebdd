// A version that a change has published comes into force with its change first; later it may be put back by itself.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOvertaken, type Versions } from '#rules/rulesets/index.ts';

const waiting = `
  select d.family || '/' || d.key as name from rule_change_document d
  join rule_change c on c.id = d.change_id and c.state = 'published'
  join jsonb_each_text(:versions::jsonb) p on p.key = d.family || '/' || d.key and p.value::integer = d.version
  where not exists (select from rule_activation a join rule_bundle b on b.id = a.bundle_id
    where b.versions ->> p.key = p.value and a.active_from <= :now::timestamptz and not ${isOvertaken})
  order by 1`;

/** Throws CONFLICT `by_its_change` that names the versions which were never in force. */
export async function requireKnownVersions(trx: Trx, versions: Versions, now: Date): Promise<void> {
  const rows = await rowsOf<{ name: string }>(trx, waiting, {
    versions: JSON.stringify(versions),
    now: now.toISOString(),
  });
  if (rows.length === 0) return;
  throw new AppError('CONFLICT', 'A version that was never in force comes with its change; see details.', {
    details: rows.map(({ name }) => ({ field: `versions.${name}`, issue: 'by_its_change' })),
  });
}
