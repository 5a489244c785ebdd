// Lists the rules in force, layer by layer.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { documentName, isOvertaken, type RuleDocument, ruleStamp } from '#rules/rulesets/index.ts';
import { type RuleFamily, ruleFamilies } from '../rules/pipelines.ts';

interface LayerRow {
  readonly family: RuleFamily;
  readonly key: string;
  readonly version: number;
  readonly sha256: string;
  readonly activatedAt: string;
}

/** Returns the layers in pipeline order. Throws ENGINE_UNAVAILABLE when no rules are in force. */
export async function listRuleLayers({ rules }: Services, trx: Trx, now: Date, family?: RuleFamily) {
  const { versions, documents } = (await rules.at(trx, now)).rules;
  const wanted = ruleFamilies.filter((one) => (family === undefined || one === family) && layerOf(one) in versions);
  const rows = await layerRows(
    trx,
    wanted,
    wanted.map((one) => versions[layerOf(one)] ?? 0),
    now,
  );
  const byFamily = new Map(rows.map((row) => [row.family, row]));
  const byName = new Map(documents.map((document) => [documentName(document), document]));
  return {
    layers: wanted.flatMap((one) => {
      const row = byFamily.get(one);
      return row ? [presentLayer(row, ruleStamp(versions, one), byName.get(layerOf(one)))] : [];
    }),
  };
}

const layerOf = (family: RuleFamily) => `${family}/${family}` as const;

/**
 * Returns the layers' versions. A version is active since the first activation after the last one with another version.
 */
const layerRows = (
  trx: Trx,
  families: readonly string[],
  versions: readonly number[],
  now: Date,
): Promise<LayerRow[]> =>
  rowsOf(
    trx,
    `with activation as (
       select a.active_from, a.id, b.versions from rule_activation a join rule_bundle b on b.id = a.bundle_id
       where a.active_from <= :now and not ${isOvertaken})
     select v.family, v.key, v.version, v.sha256, (
       select min(a.active_from) from activation a where a.id > coalesce((
         select max(o.id) from activation o
         where (o.versions ->> (v.family || '/' || v.key))::integer is distinct from v.version), 0)) as activated_at
     from unnest(:families::text[], :versions::integer[]) as w (family, version)
     join rule_version v on v.family = w.family and v.key = w.family and v.version = w.version`,
    { families, versions, now: now.toISOString() },
    keptPlan,
  );

/** Presents the document with which decisions are made, from memory. */
const presentLayer = (
  { family, key, version, sha256, activatedAt }: LayerRow,
  ruleVersion: string,
  document: RuleDocument | undefined,
) => ({
  order: ruleFamilies.indexOf(family) + 1,
  family,
  key,
  version,
  ruleVersion,
  activatedAt,
  sha256,
  document,
});
