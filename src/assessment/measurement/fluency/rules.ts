// The rules in force for readings and probes at a moment.

import type { Trx } from '#core/platform/db.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { RequestServices } from '../services.ts';
import { type CbmRules, cbmRules } from './engine/cbm-rules.ts';

export interface FluencyRules {
  readonly bundle: RuleBundle;
  readonly catalogue: CatalogueDocument;
  readonly cbm: CbmRules;
}

/** Throws ENGINE_UNAVAILABLE when no rules are in force. */
export async function activeFluency(services: RequestServices, trx: Trx, moment: Date): Promise<FluencyRules> {
  const { rules: bundle } = await services.rules.at(trx, moment);
  return { bundle, catalogue: bundle.values<CatalogueDocument>('catalogue/subskills'), cbm: cbmRules(bundle) };
}
