// Takes in a file of another service. What is here already is compared by its hash; what is new waits for approval like
// any other change: a file is nobody's second pair of eyes.
import type { Trx } from '../../platform/db.ts';
import { AppError, type ErrorDetail, invalid } from '../../platform/errors.ts';
import { canonicalHash, sha256Hex } from '../../platform/pure/canonical-json.ts';
import type { GoldenCase } from '../../rulesets/index.ts';
import type { Services } from '../../services.ts';
import { proposeDraft } from '../drafts/propose.ts';
import { canonicalText } from '../drafts/text.ts';
import { lookUpRuleSet } from '../rule-sets/scopes.ts';

export interface Imported {
  readonly family: string;
  readonly key: string;
  readonly version: number;
  readonly sha256: string;
  readonly goldenSha256: string | null;
  readonly document: object;
  readonly cases: readonly GoldenCase[];
}

/**
 * All documents, or none. Throws VALIDATION_ERROR for a hash that is not the text's, an unknown rule set and a document
 * that does not pass the gate; CONFLICT `differs` for a version that is published here with another text, `not_next`
 * for one that is not the next.
 */
export async function importBundle(
  services: Services,
  trx: Trx,
  documents: readonly Imported[],
  userId: number,
  now: Date,
) {
  refuse(documents.flatMap(wrongHashes), 'A hash is not that of its text; see details.');
  refuse(documents.flatMap(repeated), 'A document is listed twice; see details.');
  const here = await hashesHere(trx, documents);
  const results = [];
  for (const [at, one] of documents.entries()) {
    const { family, key, version } = one;
    const known = here.get(idOf(one));
    if (known !== undefined && known !== one.sha256) throw conflictAt(at, 'differs', 'is published with another text');
    const draftId = known === undefined ? await propose(services, trx, one, at, userId, now) : null;
    results.push({
      family,
      key,
      version,
      result: draftId === null ? ('present' as const) : ('in_review' as const),
      draftId,
    });
  }
  return { results };
}

const idOf = ({ family, key, version }: Imported) => `${family}/${key}@${version}`;

async function hashesHere(trx: Trx, documents: readonly Imported[]): Promise<Map<string, string>> {
  const rows: { id: string; sha256: string }[] = await trx('rule_version')
    .whereIn('id', documents.map(idOf))
    .select('id', 'sha256');
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]));
}

async function propose(services: Services, trx: Trx, one: Imported, at: number, userId: number, now: Date) {
  const { family, key, version, document, cases, sha256 } = one;
  const set = await lookUpRuleSet(trx, family, key);
  if (!set) throw invalid(`documents.${at}.key`, 'is not a rule set of this service');
  const next = set.newestVersion + 1;
  if (version !== next) throw conflictAt(at, 'not_next', `is not the next version: that is ${next}`);
  const { draft } = await proposeDraft(
    services,
    trx,
    set,
    { baseVersion: set.newestVersion, document, cases },
    userId,
    now,
  );
  if (draft.sha256 !== sha256) throw invalid(`documents.${at}.document.meta.version`, `must be ${version}`);
  return draft.id;
}

const conflictAt = (at: number, issue: string, words: string) =>
  new AppError('CONFLICT', `A document of the file ${words}; nothing was taken in.`, {
    details: [{ field: `documents.${at}.version`, issue }],
  });

function refuse(details: readonly ErrorDetail[], message: string): void {
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', message, { details });
}

function wrongHashes({ sha256, goldenSha256, document, cases }: Imported, at: number): ErrorDetail[] {
  const golden = cases.length === 0 ? null : canonicalHash({ cases });
  const actual = sha256Hex(canonicalText(document, `documents.${at}.document`));
  return [
    ...(actual === sha256 ? [] : [{ field: `documents.${at}.sha256`, issue: 'is not the hash' }]),
    ...(golden === goldenSha256 ? [] : [{ field: `documents.${at}.goldenSha256`, issue: 'is not the hash' }]),
  ];
}

function repeated({ family, key }: Imported, at: number, all: readonly Imported[]): ErrorDetail[] {
  const first = all.findIndex((other) => other.family === family && other.key === key);
  return first === at ? [] : [{ field: `documents.${at}.key`, issue: 'is listed twice' }];
}
