// Changes as rows, as if their authors had come that far.
import { type Db, inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { buildSuperAdmin } from './factories.ts';

interface StoredChange {
  readonly id: string;
  readonly sha256: string;
  readonly authorUserId: number;
}

export interface ChangeParts {
  readonly documents: readonly RuleDocument[];
  /** Default: `validated`. */
  readonly state?: string;
  /** Texts in the place of those of the documents. */
  readonly texts?: readonly string[];
  readonly at: Date;
  /** Default: a new one. */
  readonly authorUserId?: number;
}

/** The base of each document is the version before its own. */
export async function buildChange(
  owner: Db,
  { documents, state = 'validated', texts = [], at, ...parts }: ChangeParts,
): Promise<StoredChange> {
  const authorUserId = parts.authorUserId ?? (await buildSuperAdmin(owner)).id;
  const id = newId();
  await inContext(owner, 'SUPER', async (trx) => {
    await trx('rule_change').insert({
      ...{ id, title: 'A change of a test', state: 'draft', authorUserId, createdAt: at, updatedAt: at },
    });
    for (const [index, { meta }] of documents.entries()) {
      const document = texts[index] ?? canonicalJson(documents[index]);
      const { family, key, version } = meta;
      const text = { document, sha256: sha256Hex(document), level: 'minor' };
      await trx('rule_change_document').insert({
        changeId: id,
        family,
        key,
        baseVersion: version - 1,
        version,
        ...text,
      });
    }
  });
  const steps: Record<string, readonly string[]> = {
    validated: ['validated'],
    in_review: ['validated', 'in_review'],
    suspended: ['validated', 'in_review', 'suspended'],
    published: ['validated', 'in_review', 'published'],
    rejected: ['validated', 'in_review', 'rejected'],
    withdrawn: ['withdrawn'],
  };
  await owner('rule_change').where({ id }).update({ updatedAt: at });
  for (const step of steps[state] ?? []) {
    await owner('rule_change')
      .where({ id })
      .update({
        state: step,
        ...(step === 'in_review' && { quorum: 1, submission: 1 }),
        ...(step === 'validated' && { findings: '[]', level: 'minor' }),
        ...(step === 'rejected' && { declineReason: 'wording' }),
      });
  }
  const row = await owner('rule_change').where({ id }).first();
  return { id, sha256: row.sha256, authorUserId };
}
