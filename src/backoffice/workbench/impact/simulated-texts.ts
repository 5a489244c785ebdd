// Checks before a simulation whether the engine can use the texts of a change together.

import { simulation } from '#assessment/skill-status/index.ts';
import { conflict } from '#core/platform/errors.ts';
import { documentName, pinBundle, RuleDocumentError } from '#rules/rulesets/index.ts';
import type { SimulationInput } from '../analysis-worker.ts';
import { rulePairFrom, type SimulationParts } from './rule-pair.ts';

/** Runs in the analysis worker. Throws CONFLICT `not_usable`. */
export function requireUsable({ texts, documents }: SimulationInput, parts: SimulationParts): null {
  try {
    const { documents: simulated } = rulePairFrom(
      pinBundle(documents),
      texts.map(({ text }) => text),
      parts,
    );
    if (simulated.every((one, at) => documentName(one) === texts[at]?.name)) return null;
  } catch (error) {
    if (!(error instanceof RuleDocumentError) && !simulation.isUnfit(error)) throw error;
  }
  throw conflict('not_usable', 'The engine cannot work with these texts. Check the change to see why.');
}
