// New versions of shipped documents put in force past the workbench, for tests about what was decided before.
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import type { TestApp } from '../../harness/http.ts';

/** In force from now on, beside the shipped versions of all other documents. */
export async function putInForce({ clock, database }: TestApp, ...documents: readonly RuleDocument[]): Promise<void> {
  const at = clock.now();
  const bundleId = newId();
  await inContext(database.owner, 'SUPER', async (trx) => {
    for (const document of documents) {
      const { family, key, version } = document.meta;
      const text = canonicalJson(document);
      await trx('rule_version').insert({
        ...{ family, key, version, document: text, sha256: sha256Hex(text), publishedAt: at },
      });
    }
    const changed = documents.map((document) => [documentName(document), document.meta.version]);
    const versions = JSON.stringify({ ...bundle.versions, ...Object.fromEntries(changed) });
    await trx('rule_bundle').insert({ id: bundleId, versions, createdAt: at });
    const activation = { bundleId, activeFrom: at, reason: 'policy_change', kind: 'activate', createdAt: at };
    await trx('rule_activation').insert(activation);
  });
  clock.advance(1_000);
}
