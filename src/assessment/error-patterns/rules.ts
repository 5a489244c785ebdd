// The escalation rules of a pinned bundle, compiled once per process.

import { type CatalogueDocument, compileCatalogue } from '#rules/catalogue/index.ts';
import { type LocalText, perBundle, type RuleBundle, ruleStamp } from '#rules/rulesets/index.ts';
import { type BehaviourLayer, behaviourLayer } from '../measurement/index.ts';
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

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the escalation needs. */
export const subFlagRules = perBundle(compileSubFlags, 'A rule document of the sub-flags is missing.');

function compileSubFlags(bundle: RuleBundle): SubFlagRules {
  const { microPatterns } = bundle.values<CatalogueDocument>('catalogue/subskills');
  return {
    escalation: compileEscalation(bundle, compileCatalogue(bundle)),
    families: new Map(microPatterns.map(({ code, errorFamily }) => [code, errorFamily])),
    behaviourOf: behaviourLayer(bundle),
    messages: bundle.table('subflag/subflag').document.messages ?? {},
    ruleVersion: ruleStamp(bundle.versions, 'subflag'),
  };
}
