// How the engine gives its facts to each table that it asks for a first hit, by the table's name.
import type { DocumentName, Facts } from '../../../src/rulesets/engine/document/document.ts';
import type { TypedFacts } from '../../../src/rulesets/engine/typed-facts.ts';
import { ddrFacts, ddrLcFacts, dsmFacts } from '../../../src/skill-status/engine/domains/typed-facts.ts';
import { adrFacts } from '../../../src/skill-status/engine/evidence/typed-facts.ts';
import { bndFacts, cisFacts, pacFacts, ssrFacts } from '../../../src/skill-status/engine/skills/typed-facts.ts';

/** Tests give cells of the table, whose types are the document's to tell. */
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
