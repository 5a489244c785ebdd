// Publishes versions as a release does, so that requests about published versions can be repeated.
import { type Db, inContext } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { appendActivation, lockActivations } from '#rules/rulesets/index.ts';
import type { TestApp } from '../../harness/http.ts';

interface Name {
  readonly family: string;
  readonly key: string;
}
interface Document {
  readonly meta: { readonly version: number };
  readonly rules?: readonly { readonly rationale: string }[];
  readonly [section: string]: unknown;
}
interface Version {
  readonly version: number;
  readonly document: Document;
}

/** No stored result depends on it, and no other document refers to it. */
export const benchmark = { family: 'benchmark', key: 'orf-wcpm-global-g1-boy' } as const satisfies Name;

export async function newestVersion(owner: Db, { family, key }: Name): Promise<Version> {
  const row: { version: number; document: string } | undefined = await owner('rule_version')
    .where({ family, key })
    .orderBy('version', 'desc')
    .first('version', 'document');
  if (!row) throw new Error(`${family}/${key} is not published`);
  return { version: row.version, document: JSON.parse(row.document) };
}

/** Returns the next version, with the same decisions and longer reasons. */
export const reworded = ({ version, document }: Version): Document => ({
  ...document,
  meta: { ...document.meta, version: version + 1 },
  ...(document.rules && { rules: document.rules.map((rule) => ({ ...rule, rationale: `${rule.rationale} Again.` })) }),
});

/** Publishes one more version. Returns its number. */
export async function nextVersion(owner: Db, name: Name): Promise<number> {
  const next = reworded(await newestVersion(owner, name));
  const document = canonicalJson(next);
  const { version } = next.meta;
  await owner('rule_version').insert({
    ...{ family: name.family, key: name.key, version, document, sha256: sha256Hex(document) },
    publishedAt: new Date(0),
  });
  return version;
}

/** Puts versions in force beside the present ones, for a change or by themselves. */
export async function putInForce(
  { database, clock }: TestApp,
  pins: Readonly<Record<string, number>>,
  changeId?: string,
): Promise<void> {
  await inContext(database.owner, 'SUPER', async (trx) => {
    const held = await lockActivations(trx, clock);
    const why = { kind: 'install', reason: 'scheduled_release', activatedBy: null, approvedBy: [] } as const;
    const versions = { ...held.current, ...pins };
    await appendActivation(trx, { versions, ...why, ...(changeId !== undefined && { changeId }) }, held);
  });
}
