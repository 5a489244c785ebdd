// The rules that readings and probes are judged by at a moment.

import type { CatalogueDocument } from '../../catalogue/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
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
