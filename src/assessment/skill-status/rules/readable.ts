// Loads the pinned rules of stored runs, if they are still readable.
import { nativeError } from '#core/platform/database-errors.ts';
import { type Db, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { ActiveRules, RuleBundle, Versions } from '#rules/rulesets/index.ts';
import { pipelineOf } from './pipelines.ts';

/** Groups runs by their pinned versions. */
export function byRules<Run extends { readonly ruleVersions: Versions }>(runs: readonly Run[]): Run[][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = canonicalJson(run.ruleVersions);
    const known = groups.get(key);
    if (known) known.push(run);
    else groups.set(key, [run]);
  }
  return [...groups.values()];
}

/** Returns undefined when a version is missing or its text is no valid rule document any more. */
export async function readableRules(
  db: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  versions: Versions,
): Promise<RuleBundle | undefined> {
  try {
    const bundle = await rules.pinned(db, versions);
    pipelineOf(bundle);
    return bundle;
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    return undefined;
  }
}

function isOfDatabase(error: unknown): boolean {
  const native = nativeError(error);
  return isDatabaseDown(error) || (native instanceof Error && 'severity' in native);
}
