// Evaluates the language filter: returns for each case the findings about a text.
import { checks, type LanguageRule, ruleFindings, setOfTier, type Tier, tiers } from '#rules/language/index.ts';
import { documentId, type Finding, type ValueDocument } from '#rules/rulesets/index.ts';
import { newestRules } from './input.ts';

interface Batch {
  /** A list of rules, or the document of a set. Default: the shipped sets. */
  readonly rules?: readonly LanguageRule[] | ValueDocument;
  readonly cases: readonly { readonly text: string; readonly tier: Tier }[];
}

type Answer = (text: string, tier: Tier) => object;

export async function evaluate(input: unknown) {
  const { rules, cases } = batchOf(input);
  const answer = rules === undefined ? await shippedSets() : ofRules(rules);
  return cases.map((one) => answer(one.text, one.tier));
}

function batchOf(value: unknown): Batch {
  const { cases } = (value ?? {}) as Partial<Batch>;
  if (!Array.isArray(cases)) throw new Error('input must be {rules, cases: [{text, tier}]}');
  const wrong = cases.findIndex((one) => typeof one?.text !== 'string' || !tiers.includes(one.tier));
  if (wrong >= 0) throw new Error(`input/cases/${wrong} must be {text, tier}, the tier one of ${tiers.join(', ')}`);
  return value as Batch;
}

async function shippedSets(): Promise<Answer> {
  const bundle = await newestRules();
  return (given, tier) => ofRules(bundle.values<ValueDocument>(setOfTier(tier)))(given, tier);
}

/** Rules without a document have no version. Throws for a rule that no set may contain. */
function ofRules(rules: NonNullable<Batch['rules']>): Answer {
  const document = Array.isArray(rules) ? undefined : (rules as ValueDocument);
  const entries = (document ? document.entries : rules) as readonly LanguageRule[];
  const [first] = entries.flatMap((rule): readonly Finding[] => ruleFindings(rule));
  if (first) throw new Error(`rule ${first.ruleIds.join()}: ${first.message}`);
  const check = checks(entries);
  return (given, tier) => ({ ...check(given, tier), ruleVersion: document ? documentId(document) : null });
}
