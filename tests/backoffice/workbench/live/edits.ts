// Random edits of the rules of the pipeline, of every kind that a person makes: constants, outcomes, rows, comparisons, texts.
import { withConstant } from '#backoffice/workbench/changes/engine/constant-value.ts';
import { type DocumentName, documentName, leavesOf, type RuleDocument } from '#rules/rulesets/index.ts';

type Next = (below: number) => number;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
type Free = any;

const tables: readonly DocumentName[] = [
  'cis/cis',
  'bnd/bnd',
  'pac/pac',
  'ssr/ssr',
  'ddr/ddr',
  'ddr-lc/ddr-lc',
  'dsm/dsm',
  'esc/esc',
];

const oneOf = <T>(next: Next, list: readonly T[]): T => list[next(list.length)] as T;

/** Numbers that lie near others: steps of the last digit and of a fifth. */
function near(next: Next, value: number): number {
  const step = Number.isInteger(value)
    ? oneOf(next, [-2, -1, 1, 2])
    : oneOf(next, [-0.1, -0.05, -0.01, 0.01, 0.05, 0.1]);
  return Number((value + step).toFixed(4));
}

const kinds: Readonly<Record<string, (table: Free, next: Next) => void>> = {
  outcome(table, next) {
    oneOf<Free>(next, table.rules).event.params = structuredClone(oneOf<Free>(next, table.rules).event.params);
  },
  order(table, next) {
    const [one, other] = [oneOf<Free>(next, table.rules), oneOf<Free>(next, table.rules)];
    [one.conditions, other.conditions] = [other.conditions, one.conditions];
  },
  drop(table, next) {
    table.rules.splice(next(table.rules.length), 1);
  },
  literal(table, next) {
    const leaves = table.rules.flatMap((rule: Free) => leavesOf(rule.conditions));
    const numeric = leaves.filter(({ value }: Free) => typeof value === 'number');
    const leaf = oneOf<Free>(next, numeric.length > 0 ? numeric : leaves);
    if (typeof leaf.value === 'boolean') leaf.value = !leaf.value;
    if (typeof leaf.value !== 'number') return;
    leaf.value = near(next, leaf.value);
    delete leaf.valueRef;
  },
  comparison(table, next) {
    const flipped: Readonly<Record<string, string>> = {
      lessThan: 'lessThanInclusive',
      lessThanInclusive: 'lessThan',
      greaterThan: 'greaterThanInclusive',
      greaterThanInclusive: 'greaterThan',
      equal: 'notEqual',
      in: 'notIn',
    };
    const leaf = oneOf<Free>(
      next,
      table.rules.flatMap((rule: Free) => leavesOf(rule.conditions)),
    );
    if (leaf) leaf.operator = flipped[leaf.operator] ?? leaf.operator;
  },
  condition(table, next) {
    const rule = oneOf<Free>(next, table.rules);
    if (rule.conditions.all?.length > 1) rule.conditions.all.splice(next(rule.conditions.all.length), 1);
  },
  scale(table) {
    table.outcomes.order.reverse();
  },
  name(table, next) {
    oneOf<Free>(next, table.rules).name += '-NEW';
  },
  text(table, next) {
    oneOf<Free>(next, table.rules).event.params.messageKey = 'another.text';
  },
};

export interface Edit {
  readonly kind: string;
  readonly documents: readonly RuleDocument[];
}

/** Returns one or two edits as one; versions are those after the shipped ones. */
export function randomEdit(shipped: readonly RuleDocument[], next: Next): Edit {
  const edited = new Map<DocumentName, RuleDocument>();
  const names: string[] = [];
  const textOf = (name: DocumentName): Free =>
    structuredClone(edited.get(name) ?? shipped.find((one) => documentName(one) === name));
  for (let left = 1 + next(2); left > 0; left -= 1) {
    if (next(3) === 0) names.push(editConstant(shipped, edited, textOf, next));
    else {
      const name = oneOf(next, tables);
      const kind = oneOf(next, Object.keys(kinds));
      const table = textOf(name);
      kinds[kind]?.(table, next);
      edited.set(name, table);
      names.push(`${kind} of ${name}`);
    }
  }
  const documents = [...edited.values()].map((one) => ({ ...one, meta: { ...one.meta, version: 90 } }) as RuleDocument);
  return { kind: names.join(', '), documents };
}

function editConstant(
  shipped: readonly RuleDocument[],
  edited: Map<DocumentName, RuleDocument>,
  textOf: (name: DocumentName) => RuleDocument,
  next: Next,
): string {
  const constants = textOf('dth/dth').constants ?? {};
  const id = oneOf(next, Object.keys(constants));
  const { value } = constants[id] as { value: number };
  const young = near(next, value);
  for (const one of shipped) {
    const name = documentName(one);
    if (Object.hasOwn(one.constants ?? {}, id)) edited.set(name, withConstant(textOf(name), { id, value: young }));
  }
  return `${id} = ${young}`;
}
