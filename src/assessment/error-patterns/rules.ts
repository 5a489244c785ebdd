// The rules of the escalation out of a pinned bundle, compiled once a process.

import { unavailable } from '#core/platform/errors.ts';
import { type CatalogueDocument, compileCatalogue } from '#rules/catalogue/index.ts';
import type { LocalText } from '#rules/rulesets/index.ts';
import { BundleError, type RuleBundle, ruleStamp } from '#rules/rulesets/index.ts';
import type { BehaviourLayer } from '../measurement/index.ts';
import { behaviourLayer } from '../measurement/index.ts';
import { compileEscalation, type Escalation } from './engine/escalation.ts';
import type { Families } from './engine/pattern-key.ts';

export interface SubFlagRules {
  readonly escalation: Escalation;
  readonly families: Families;
  readonly behaviourOf: BehaviourLayer;
  readonly messages: Readonly<Record<string, LocalText>>;
  /** `SUBFLAG@1` */
  readonly ruleVersion: string;
}

const compiled = new WeakMap<RuleBundle, SubFlagRules>();

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the escalation needs. */
export function subFlagRules(bundle: RuleBundle): SubFlagRules {
  const known = compiled.get(bundle);
  if (known) return known;
  try {
    const rules = compile(bundle);
    compiled.set(bundle, rules);
    return rules;
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of the sub-flags is missing.');
    throw error;
  }
}

function compile(bundle: RuleBundle): SubFlagRules {
  const { microPatterns } = bundle.values<CatalogueDocument>('catalogue/subskills');
  return {
    escalation: compileEscalation(bundle, compileCatalogue(bundle)),
    families: new Map(microPatterns.map(({ code, errorFamily }) => [code, errorFamily])),
    behaviourOf: behaviourLayer(bundle),
    messages: bundle.table('subflag/subflag').document.messages ?? {},
    ruleVersion: ruleStamp(bundle.versions, 'subflag'),
  };
}
