// One question to one table, answered with its reasons. Nothing is written.
import { conflict, invalid } from '../../platform/errors.ts';
import {
  compileTable,
  explain,
  FactError,
  type Facts,
  isTable,
  NoDecisionError,
  parseRuleDocument,
  RuleDocumentError,
} from '../../rulesets/index.ts';

const wordsOf = { missing: 'is missing', foreign: 'is not a fact', wrong_type: 'is of another type' } as const;

/**
 * Throws VALIDATION_ERROR for facts that do not fit, CONFLICT `no_rules` for a document of values, `not_usable` for a
 * draft that cannot be read yet, `gap` where no rule answers.
 */
export function tryText(text: string, facts: Facts) {
  const document = readable(text);
  if (!isTable(document)) throw conflict('no_rules', 'The document holds values: there is no rule to try.', 'document');
  try {
    return explain(compileTable(document), facts);
  } catch (error) {
    if (error instanceof FactError) throw invalid(`facts.${error.fact}`, issueOf(error));
    if (error instanceof NoDecisionError) throw conflict('gap', 'No rule answers these facts.', 'facts');
    throw error;
  }
}

const issueOf = ({ problem }: FactError): string =>
  problem === 'out_of_domain' ? 'is outside the domain of the fact' : wordsOf[problem];

function readable(text: string) {
  try {
    return parseRuleDocument(text);
  } catch (error) {
    if (!(error instanceof RuleDocumentError)) throw error;
    throw conflict('not_usable', 'The draft has errors that keep it from being read. Validate it.', 'document');
  }
}
