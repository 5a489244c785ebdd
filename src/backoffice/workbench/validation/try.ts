// Evaluates one table, or one document of values, on given facts, with the reasons. Nothing is written.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import {
  compileTable,
  type DocumentValidators,
  documentName,
  explain,
  FactError,
  type Facts,
  isTable,
  NoDecisionError,
  parseRuleDocument,
  type RuleDocument,
  RuleDocumentError,
} from '#rules/rulesets/index.ts';
import type { TryQuestion } from '../analysis-worker.ts';
import type { RuleUse } from './rule-use.ts';

const wordsOf = { missing: 'is missing', foreign: 'is not a fact', wrong_type: 'is of another type' } as const;

/**
 * Throws VALIDATION_ERROR for facts that do not match, CONFLICT `no_rules` for a document of values that cannot be evaluated,
 * `not_usable` for a draft that cannot be read yet, `gap` when no rule holds.
 */
export function tryText(
  { text, facts, around }: TryQuestion,
  { validators, valueTrials }: Pick<RuleUse, 'validators' | 'valueTrials'>,
) {
  const document = readable(text, validators);
  if (!isTable(document)) {
    const ask = valueTrials.get(document.meta.family);
    if (ask)
      return ask({ document, facts, around: around.filter((one) => documentName(one) !== documentName(document)) });
    throw conflict('no_rules', 'The document holds values: there is no rule to try.', 'document');
  }
  try {
    return explain(compileTable(document), facts as Facts);
  } catch (error) {
    if (error instanceof FactError) throw invalid(`facts.${error.fact}`, issueOf(error));
    if (error instanceof NoDecisionError) throw conflict('gap', 'No rule answers these facts.', 'facts');
    throw error;
  }
}

const issueOf = ({ problem }: FactError): string =>
  problem === 'out_of_domain' ? 'is outside the domain of the fact' : wordsOf[problem];

function readable(text: string, validators: DocumentValidators) {
  try {
    return parseRuleDocument(text, validators);
  } catch (error) {
    if (!(error instanceof RuleDocumentError)) throw error;
    throw conflict('not_usable', 'The draft has errors that keep it from being read. Validate it.', 'document');
  }
}

/**
 * Reads the documents that a text is tried together with: none for a table, those in force for a document of values that renders
 * texts. Throws ENGINE_UNAVAILABLE when they are needed and no rules are in force.
 */
export async function trialDocuments(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  { family }: { readonly family: string },
  now: Date,
): Promise<readonly RuleDocument[]> {
  const parts = capabilities.flatMap(({ ruleFamilies = [] }) => ruleFamilies);
  const needsRules = parts.some((part) => part.family === family && part.tryValues !== undefined);
  return needsRules ? (await rules.at(trx, now)).rules.documents : [];
}
