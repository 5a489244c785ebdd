// Puts a draft before the gate, beside the documents that it would be in force with.
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { checkRuleText, documentName, type GoldenCase, isError, type RuleDocument } from '../../rulesets/index.ts';
import type { Services } from '../../services.ts';
import { companionsOf } from '../companions.ts';
import { type DraftRow, draftCases } from '../drafts/store.ts';
import { casesOf, documentOf, findVersion } from '../rule-sets/store.ts';
import type { GateAnswer } from './engine/examine.ts';
import { effectiveCases } from './engine/inherited-cases.ts';
import type { OracleEffort } from './engine/second-opinion.ts';
import { examineInThread } from './thread.ts';

export type Examined = Pick<DraftRow, 'family' | 'key' | 'baseVersion' | 'document' | 'cases'>;

/** `cases` are all that the draft answers to: what is frozen with it. */
export interface Verdict extends GateAnswer {
  readonly cases: readonly GoldenCase[];
  readonly valid: boolean;
}

export async function examineDraft(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  draft: Examined,
  effort: OracleEffort,
  now: Date,
): Promise<Verdict> {
  const { family, key, baseVersion, document: text } = draft;
  const base = await findVersion(trx, family, key, baseVersion);
  const cases = effectiveCases(draftCases(draft), base ? casesOf(base) : []);
  const active = (await rules.at(trx, now)).rules.documents;
  const others = await inForceWith(trx, active, text);
  const answer = await examineInThread({ text, cases, base: base ? documentOf(base) : null, others, effort });
  return { ...answer, cases, valid: !answer.findings.some(isError) };
}

/** The active documents, and in the place of those that would disagree the companions that agree, where there are any. */
async function inForceWith(trx: Trx, active: readonly RuleDocument[], text: string): Promise<readonly RuleDocument[]> {
  if (checkRuleText(text).some(isError)) return active;
  try {
    const companions = (await companionsOf(trx, active, [JSON.parse(text)])).map(({ document }) => document);
    const replaced = new Set(companions.map(documentName));
    return [...active.filter((one) => !replaced.has(documentName(one))), ...companions];
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return active;
    throw error;
  }
}
