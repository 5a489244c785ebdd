// Replaces documents of a bundle with proposals: published versions by number, then the documents of a change.
import type { Trx } from '#core/platform/db.ts';
import { AppError, invalid } from '#core/platform/errors.ts';
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

export interface Proposed {
  /** `family/key` → a published version. */
  readonly versions: Readonly<Record<string, number>>;
  /** The id of a change. */
  readonly changeId?: string | undefined;
}

/** Throws VALIDATION_ERROR naming each unknown proposal, or the reason why the texts do not fit together. */
export async function withProposed(trx: Trx, base: RuleBundle, { versions, changeId }: Proposed): Promise<RuleBundle> {
  const names = Object.keys(versions);
  const published = await publishedTexts(trx, versions);
  const unknown = names.filter((name) => !isEngineDocument(name) || !published.has(name));
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', 'Some of the proposed rules cannot be tried; see details.', {
      details: unknown.map((name) => ({ field: `proposedVersions.${name}`, issue: issueOf(name) })),
    });
  }
  const texts = new Map([...published, ...(changeId === undefined ? [] : await changeTexts(trx, changeId))]);
  if (texts.size === 0) return base;
  return fitted(
    base,
    [...texts.values()].map((text) => JSON.parse(text) as RuleDocument),
    changeId === undefined ? 'proposedVersions' : 'proposedChange',
  );
}

const issueOf = (name: string): string =>
  isEngineDocument(name) ? 'is no published version' : 'is not a rule set of the engine';

/**
 * A value that the next layer does not know, or a constant with two values, is reported as an error of the proposal.
 */
function fitted(base: RuleBundle, documents: readonly RuleDocument[], field: string): RuleBundle {
  try {
    const bundle = overlaid(base, documents);
    for (const document of documents) assertSameHitPolicy(base, document);
    compilePipeline(bundle);
    return bundle;
  } catch (error) {
    throw toProposalError(error, field);
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
export function toProposalError(error: unknown, field = 'proposedVersions'): unknown {
  if (!isUnfit(error)) return error;
  return new AppError('VALIDATION_ERROR', 'The proposed rules do not fit together.', {
    details: [{ field, issue: error.message }],
  });
}

type Texts = ReadonlyMap<string, string>;

async function publishedTexts(trx: Trx, versions: Proposed['versions']): Promise<Texts> {
  const wanted = Object.entries(versions);
  if (wanted.length === 0) return new Map();
  const rows: { family: string; key: string; document: string }[] = await RuleVersion.query(trx)
    .whereIn(['family', 'key', 'version'], wanted.map(([name, version]) => [...name.split('/'), version]) as string[][])
    .select('family', 'key', 'document');
  return new Map(rows.map(({ family, key, document }) => [`${family}/${key}`, document]));
}

const triedStates = ['validated', 'in_review', 'published'];

/** Loads the texts of a change. Throws VALIDATION_ERROR for a change that is not there, or was not checked. */
async function changeTexts(trx: Trx, changeId: string): Promise<Texts> {
  const rows: { family: string; key: string; document: string }[] = await trx('rule_change_document as d')
    .join('rule_change as c', 'c.id', 'd.changeId')
    .where('c.id', changeId)
    .whereIn('c.state', triedStates)
    .select('d.family', 'd.key', 'd.document');
  if (rows.length === 0) throw invalid('proposedChange', 'is no change that passed its check');
  return new Map(rows.map(({ family, key, document }) => [`${family}/${key}`, document]));
}
