// The typed facts of each first-hit table of the engine, by the table's name.

import { ddrFacts, ddrLcFacts, dsmFacts } from '#assessment/skill-status/engine/domains/typed-facts.ts';
import { adrFacts } from '#assessment/skill-status/engine/evidence/typed-facts.ts';
import { bndFacts, cisFacts, pacFacts, ssrFacts } from '#assessment/skill-status/engine/skills/typed-facts.ts';
import type { DocumentName, Facts } from '#rules/rulesets/engine/document/document.ts';
import type { TypedFacts } from '#rules/rulesets/engine/typed-facts.ts';

/** Tests give cells of the table, whose types come from the document. */
export type AnyTypedFacts = TypedFacts<Facts>;
export const untyped = <F extends Facts>(typed: TypedFacts<F>) => typed as unknown as AnyTypedFacts;

export const typedFactsOf: Readonly<Record<DocumentName, AnyTypedFacts>> = {
  'adr/adr': untyped(adrFacts),
  'cis/cis': untyped(cisFacts),
  'bnd/bnd': untyped(bndFacts),
  'pac/pac': untyped(pacFacts),
  'ssr/ssr': untyped(ssrFacts),
  'ddr/ddr': untyped(ddrFacts),
  'ddr-lc/ddr-lc': untyped(ddrLcFacts),
  'dsm/dsm': untyped(dsmFacts),
};
