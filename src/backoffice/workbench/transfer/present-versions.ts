// Finds the versions of this service that say what a document of a file says, whatever its number there.
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { AnyCase, ImportOrigin } from '#rules/rulesets/index.ts';
import { casesOf } from '../published/store.ts';
import { effectiveCases } from '../validation/engine/inherited-cases.ts';
import { importedCases } from './imported-cases.ts';

interface Text {
  readonly family: string;
  readonly key: string;
  readonly goldenSha256: string | null;
  readonly document: object;
  readonly cases: readonly AnyCase[];
}

interface SameText {
  /** The place of the document in the file. */
  readonly at: number;
  readonly version: number;
  readonly goldenSha256: string | null;
  /** Null for a version that did not come from a file. */
  readonly origin: ImportOrigin | null;
  /** RFC 8785 text of the cases of the version before, which one from a file has inherited. */
  readonly casesBefore: string | null;
}

/**
 * Returns the newest version of each text that is here with the same cases. The number in `meta` is no part of a text. A version
 * that came from a file has the cases of the file and those that it inherited here.
 */
export async function presentVersions<One extends Text>(
  trx: Trx,
  documents: readonly One[],
): Promise<ReadonlyMap<One, number>> {
  const same = await rowsOf<SameText>(
    trx,
    `select f.at::integer as at, v.version, v.golden_sha256, v.origin, before.cases as cases_before
     from jsonb_to_recordset(:file::jsonb) as f (at integer, family text, key text, document jsonb)
     join rule_version v on v.family = f.family and v.key = f.key
       and v.document::jsonb #- '{meta,version}' = f.document #- '{meta,version}'
     left join rule_version before on before.family = v.family and before.key = v.key and before.version = v.version - 1
       and v.origin is not null
     order by v.version`,
    { file: JSON.stringify(documents.map(({ family, key, document }, at) => ({ at, family, key, document }))) },
  );
  const present = new Map<One, number>();
  for (const { at, version, goldenSha256, ...row } of same) {
    const one = documents[at];
    if (one && [one.goldenSha256, hashAsTaken(one, row)].includes(goldenSha256)) present.set(one, version);
  }
  return present;
}

/** Returns the hash of the cases that a version has which came from this file. */
function hashAsTaken({ cases, goldenSha256 }: Text, { origin, casesBefore }: Pick<SameText, 'origin' | 'casesBefore'>) {
  if (origin === null) return goldenSha256;
  const before = casesOf({ cases: casesBefore });
  const all = effectiveCases(importedCases(cases, before, origin), before);
  return all.length === 0 ? null : canonicalHash({ cases: all });
}
