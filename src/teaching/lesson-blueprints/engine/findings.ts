// The findings of the rules in a blueprint (BPV): one for each path of the facts of every matching rule.
import { compileCatalogue, compileRoles } from '#rules/catalogue/engine/index.ts';
import { allHits, type Condition, leavesOf, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { compileBundles, isAssignable } from '#support/interventions/engine/index.ts';
import { type BlueprintContext, type BlueprintInput, checkedFacts } from './facts.ts';

export const findingLevels = ['error', 'warning'] as const;
export type FindingLevel = (typeof findingLevels)[number];

export const findingIssues = [
  'bundle_not_usable',
  'step_mismatch',
  'not_offered',
  'target_mismatch',
  'segments_mismatch',
  'item_refs_mismatch',
  'options_mismatch',
  'too_few_check_items',
  'language_unsafe',
  'code_repeated',
  'same_as_published',
  'item_off_target',
] as const;
export type FindingIssue = (typeof findingIssues)[number];

export interface BlueprintFinding {
  readonly ruleId: string;
  readonly level: FindingLevel;
  /** Dotted path in the blueprint; empty for the blueprint itself. */
  readonly path: string;
  readonly issue: FindingIssue;
}

type BlueprintRules = (input: BlueprintInput) => BlueprintFinding[];

const name = 'bundle/blueprint-validation';

/** Throws BundleError when a document is missing, RangeError when it contains unknown outcomes or issues. */
export function compileBlueprints(bundle: RuleBundle): BlueprintRules {
  const catalogue = compileCatalogue(bundle);
  const context: BlueprintContext = {
    bundles: compileBundles(bundle),
    catalogue,
    roles: compileRoles(bundle, catalogue),
    isAssignable: ({ objectType }) => isAssignable(objectType),
  };
  const table = bundle.table(name);
  const factsOf = new Map(table.document.rules.map((rule) => [rule.name, factsIn(rule.conditions)]));
  const evaluate = allHits(table, (answer) => ({
    ruleId: answer.ruleId,
    level: answer.word('outcome', findingLevels),
    issue: answer.word('issue', findingIssues),
  }));
  return (input) => {
    const { facts, paths } = checkedFacts(input, context);
    return evaluate(facts).flatMap((hit) => {
      const faults = [...(factsOf.get(hit.ruleId) ?? [])].flatMap((fact) => paths[fact] ?? []);
      return (faults.length > 0 ? faults : ['']).map((path) => ({ ...hit, path }));
    });
  };
}

const factsIn = (conditions: Condition): ReadonlySet<string> => new Set(leavesOf(conditions).map(({ fact }) => fact));
