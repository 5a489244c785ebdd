// Checks before a simulation whether the engine can use a draft together with its companions.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import {
  type DocumentValidators,
  documentName,
  parseRuleDocument,
  pinBundle,
  type RuleDocument,
  RuleDocumentError,
} from '#rules/rulesets/index.ts';
import type { SimulatedTexts, SimulationInput } from '../analysis-worker.ts';
import { candidateTexts, companionsFrom } from '../companions.ts';
import { rulePairFrom, type SimulationParts } from './rule-pair.ts';

export const simulationInput = async (
  trx: Trx,
  { family, key, document }: SimulationInput['draft'],
  documents: readonly RuleDocument[],
): Promise<SimulationInput> => ({
  draft: { family, key, document },
  documents,
  candidates: await candidateTexts(trx, documents, { family, key, document }),
});

/** Runs in the analysis worker. Throws CONFLICT `not_usable` or `constants_disagree`. */
export function simulatedTexts(
  { draft, documents, candidates }: SimulationInput,
  parts: SimulationParts,
): SimulatedTexts {
  const { validators } = parts;
  const companions = companionsFrom(documents, [readable(draft, validators)], candidates, validators);
  const texts = [draft.document, ...companions.map(({ text }) => text)];
  try {
    rulePairFrom(pinBundle(documents), texts, parts);
  } catch (error) {
    throw simulation.isUnfit(error) ? notUsable(companions.length === 0) : error;
  }
  return { texts, companions: companions.map(({ name }) => name) };
}

function readable(
  { document: text, family, key }: SimulationInput['draft'],
  validators: DocumentValidators,
): RuleDocument {
  try {
    const document = parseRuleDocument(text, validators);
    if (documentName(document) === `${family}/${key}`) return document;
  } catch (error) {
    if (!(error instanceof RuleDocumentError)) throw error;
  }
  throw notUsable(true);
}

const notUsable = (isAlone: boolean) =>
  conflict(
    'not_usable',
    isAlone
      ? 'The engine cannot work with this draft. Validate it to see why.'
      : 'The engine cannot work with this draft and the documents that go with it. Validate them to see why.',
  );
