// The periods in which each version of a cell was in force, from the timeline of activations.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOvertaken } from '#rules/rulesets/index.ts';
import { benchmarkFamily } from './cell.ts';

export interface InForceChange {
  /** ISO 8601. */
  readonly at: string;
  /** Null for an activation by a release. */
  readonly by: number | null;
  /** The version in force from then on; null where there is none. */
  readonly version: number | null;
}

export interface InForcePeriod {
  readonly version: number;
  readonly from: string;
  readonly by: number | null;
  /** The version that it replaced. */
  readonly before: number | null;
  /** The change that ended the period; null while it lasts. */
  readonly to: InForceChange | null;
}

interface ActivationRow {
  readonly activeFrom: string;
  readonly activatedBy: number | null;
  readonly pins: Readonly<Record<string, number>>;
}

/** Returns periods by document name, oldest first. */
export async function periodsByName(trx: Trx, now: Date): Promise<Map<string, InForcePeriod[]>> {
  const rows = await rowsOf<ActivationRow>(
    trx,
    `select a.active_from, a.activated_by,
       (select coalesce(jsonb_object_agg(p.key, p.value), '{}') from jsonb_each(b.versions) p
        where starts_with(p.key, :prefix)) as pins
     from rule_activation a join rule_bundle b on b.id = a.bundle_id
     where a.active_from <= :now::timestamptz and not ${isOvertaken} order by a.id`,
    { prefix: `${benchmarkFamily}/`, now: now.toISOString() },
  );
  const names = new Set(rows.flatMap(({ pins }) => Object.keys(pins)));
  return new Map([...names].map((name) => [name, periodsOf(turnsOf(rows, name))]));
}

/** Activations that did not change the document are left out. */
function turnsOf(rows: readonly ActivationRow[], name: string): InForceChange[] {
  const all = rows.map(({ activeFrom: at, activatedBy: by, pins }) => ({ at, by, version: pins[name] ?? null }));
  return all.filter(({ version }, place) => version !== (all[place - 1]?.version ?? null));
}

const periodsOf = (turns: readonly InForceChange[]): InForcePeriod[] =>
  turns.flatMap(({ at, by, version }, place) => {
    if (version === null) return [];
    const before = turns[place - 1]?.version ?? null;
    return [{ version, from: at, by, before, to: turns[place + 1] ?? null }];
  });
