// Replaces documents of a bundle with proposals: published versions by number, validated drafts by id.
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import {
  documentName,
  isTable,
  overlaid,
  type RuleBundle,
  type RuleDocument,
  RuleVersion,
} from '#rules/rulesets/index.ts';
import { compilePipeline } from '../engine/evaluate.ts';
import { isEngineDocument } from '../rules/pipelines.ts';
import { isUnfit } from '../rules/unfit.ts';

/** `family/key` → a published version, or a draft's id. */
export type Proposed = Readonly<Record<string, number | string>>;

/** Throws VALIDATION_ERROR naming each unknown proposal, or the reason why the texts do not fit together. */
export async function withProposed(trx: Trx, base: RuleBundle, proposed: Proposed): Promise<RuleBundle> {
  const names = Object.keys(proposed);
  if (names.length === 0) return base;
  const texts = new Map([...(await publishedTexts(trx, proposed)), ...(await draftTexts(trx, proposed))]);
  const unknown = names.filter((name) => !isEngineDocument(name) || !texts.has(name));
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', 'Some of the proposed rules cannot be tried; see details.', {
      details: unknown.map((name) => ({ field: `proposedVersions.${name}`, issue: issueOf(name, proposed[name]) })),
    });
  }
  return fitted(
    base,
    names.map((name) => JSON.parse(texts.get(name) ?? '') as RuleDocument),
  );
}

function issueOf(name: string, version: number | string | undefined): string {
  if (!isEngineDocument(name)) return 'is not a rule set of the engine';
  return typeof version === 'number' ? 'is no published version' : 'is no draft that passed validation';
}

/**
 * A value that the next layer does not know, or a constant with two values, is reported as an error of the proposal.
 */
function fitted(base: RuleBundle, documents: readonly RuleDocument[]): RuleBundle {
  try {
    const bundle = overlaid(base, documents);
    for (const document of documents) assertSameHitPolicy(base, document);
    compilePipeline(bundle);
    return bundle;
  } catch (error) {
    throw toProposalError(error);
  }
}

/** The engine requires the hit policy of each table to stay the same. */
function assertSameHitPolicy({ documents }: RuleBundle, proposed: RuleDocument): void {
  const name = documentName(proposed);
  const before = documents.find((one) => documentName(one) === name);
  if (!before || !isTable(before) || !isTable(proposed)) return;
  const { hitPolicy } = before.meta;
  if (proposed.meta.hitPolicy !== hitPolicy) throw new RangeError(`the hit policy of ${name} is not ${hitPolicy}`);
}

/** Converts a refusal by the engine to a VALIDATION_ERROR of the proposal; returns other errors unchanged. */
export function toProposalError(error: unknown): unknown {
  if (!isUnfit(error)) return error;
  return new AppError('VALIDATION_ERROR', 'The proposed rules do not fit together.', {
    details: [{ field: 'proposedVersions', issue: error.message }],
  });
}

type Texts = Iterable<readonly [string, string]>;

async function publishedTexts(trx: Trx, proposed: Proposed): Promise<Texts> {
  const wanted = Object.entries(proposed).filter(([, version]) => typeof version === 'number');
  if (wanted.length === 0) return [];
  const rows: { family: string; key: string; document: string }[] = await RuleVersion.query(trx)
    .whereIn(['family', 'key', 'version'], wanted.map(([name, version]) => [...name.split('/'), version]) as string[][])
    .select('family', 'key', 'document');
  return rows.map(({ family, key, document }) => [`${family}/${key}`, document]);
}

/** Loads draft texts. A draft is accepted only for its own rule set. */
async function draftTexts(trx: Trx, proposed: Proposed): Promise<Texts> {
  const wanted = Object.entries(proposed).filter(([, id]) => typeof id === 'string');
  if (wanted.length === 0) return [];
  const rows: { id: string; family: string; key: string; document: string }[] = await trx('rule_draft')
    .whereIn(
      'id',
      wanted.map(([, id]) => String(id)),
    )
    .whereIn('state', ['validated', 'in_review'])
    .select('id', 'family', 'key', 'document');
  return rows.flatMap(({ id, family, key, document }) => {
    const name = `${family}/${key}`;
    return proposed[name] === id ? [[name, document] as const] : [];
  });
}
