// A number that a new version changes or adds has to be a constant, so that reviewers of the change see its name.
import {
  errorFinding,
  type Finding,
  type Leaf,
  leavesOf,
  type Rule,
  type TableDocument,
} from '#rules/rulesets/engine/index.ts';

/** Returns MAGIC_NUMBER errors for literals without `valueRef` that the rule of the same name in the base does not hold. */
export function changedLiterals(base: TableDocument | null, draft: TableDocument): readonly Finding[] {
  const known = new Map(base?.rules.map((rule) => [rule.name, new Set(bareNumbers(rule).map(leafText))]));
  return draft.rules.flatMap((rule) =>
    bareNumbers(rule)
      .filter((leaf) => !known.get(rule.name)?.has(leafText(leaf)))
      .map(({ fact, operator, value }) =>
        errorFinding('MAGIC_NUMBER', 'new_number', { fact, operator, value: Number(value) }, rule.name),
      ),
  );
}

/** 0 and 1 mean "none" and "one", and are no thresholds. */
const bareNumbers = (rule: Rule): readonly Leaf[] =>
  leavesOf(rule.conditions).filter(
    ({ value, valueRef }) => valueRef === undefined && typeof value === 'number' && value !== 0 && value !== 1,
  );

const leafText = ({ fact, operator, value }: Leaf): string => `${fact} ${operator} ${String(value)}`;
