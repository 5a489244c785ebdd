// A document as parts that are merged one by one: cells of rules, constants, cases, and whatever else it holds. Literals that stand
// for a constant follow the constant, so that a moved threshold is one part and not one in each rule.
import {
  type AnyCase,
  isTable,
  type Rule,
  type RuleDocument,
  type TableDocument,
} from '#rules/rulesets/engine/index.ts';
import { cellsOfRule, outcomeCell, ruleOfCells } from '../../validation/engine/rule-cells.ts';

/** JSON by path: `rules/ID/FACT`, `rules/ID/outcome`, `constants/ID`, `cases/NAME`, `facts/NAME`, `messages/KEY`, or a section. */
export type TextParts = ReadonlyMap<string, unknown>;

export interface PartedText {
  readonly parts: TextParts;
  /** Ids of rules in their order; empty for values. */
  readonly rules: readonly string[];
  /** The facts of each rule in their order. */
  readonly facts: ReadonlyMap<string, readonly string[]>;
}

export interface WholeText {
  readonly document: RuleDocument;
  readonly cases: readonly AnyCase[];
}

/** Sections that are merged member by member. */
const isMapped = (section: string): boolean => ['constants', 'facts', 'messages'].includes(section);

export function partsOf({ document, cases }: WholeText): PartedText {
  const { meta, ...rest } = document as RuleDocument & Readonly<Record<string, unknown>>;
  const { version: _version, ...words } = meta;
  const parts = new Map<string, unknown>([['meta', words]]);
  for (const [section, value] of Object.entries(rest)) {
    if (section === 'rules' && isTable(document)) continue;
    if (isMapped(section) && Object.keys(value as object).length > 0) putMembers(parts, section, value as object);
    else parts.set(section, value);
  }
  const rules = isTable(document) ? document.rules : [];
  const facts = new Map<string, string[]>();
  for (const rule of rules) {
    const cells = cellsOfRule(withoutLiterals(rule) as Rule);
    facts.set(
      rule.name,
      [...cells.keys()].filter((cell) => cell !== outcomeCell),
    );
    putMembers(parts, `rules/${rule.name}`, Object.fromEntries(cells));
  }
  for (const one of cases) parts.set(`cases/${one.name}`, one);
  return { parts, rules: rules.map(({ name }) => name), facts };
}

function putMembers(parts: Map<string, unknown>, section: string, members: object): void {
  for (const [name, value] of Object.entries(members)) parts.set(`${section}/${name}`, value);
}

/** The value of a literal that stands for a constant is that of the constant. */
function withoutLiterals(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutLiterals);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, member]) => [name, withoutLiterals(member)]));
  return typeof copy.valueRef === 'string' ? { ...copy, value: null } : copy;
}

/** Makes the document and its cases of parts; `version` is the number that the text gets. */
export function wholeText({ parts, rules, facts }: PartedText, version: number): WholeText {
  const sections = new Map<string, unknown>();
  const cells = new Map<string, Map<string, unknown>>();
  const cases: AnyCase[] = [];
  for (const [path, value] of parts) {
    const [section = '', ...rest] = path.split('/');
    if (section === 'cases') cases.push(value as AnyCase);
    else if (section === 'rules') {
      const cell = rest.at(-1) ?? '';
      const id = rest.slice(0, -1).join('/');
      cells.set(id, (cells.get(id) ?? new Map()).set(cell, value));
    } else if (rest.length > 0) {
      sections.set(section, { ...(sections.get(section) as object | undefined), [rest.join('/')]: value });
    } else sections.set(path, isMapped(path) ? { ...(sections.get(path) as object | undefined) } : value);
  }
  const constants = (sections.get('constants') ?? {}) as NonNullable<TableDocument['constants']>;
  const meta = { ...(sections.get('meta') as object), version };
  const ordered = rules.filter((id) => cells.get(id)?.has(outcomeCell));
  const table = ordered.map((id, row) =>
    withLiterals(
      ruleOfCells(cells.get(id) ?? new Map(), facts.get(id) ?? [], priorityOf(row, ordered.length)),
      constants,
    ),
  );
  const document = { ...Object.fromEntries(sections), meta, ...(rules.length > 0 && { rules: table }) };
  return { document: document as unknown as RuleDocument, cases };
}

/** Strictly descending, with room between rows as in shipped tables where they are not too many. */
const priorityOf = (row: number, rows: number): number => (rows < 100 ? 1000 - 10 * (row + 1) : 1000 - row - 1);

function withLiterals(part: unknown, constants: NonNullable<TableDocument['constants']>): unknown {
  if (Array.isArray(part)) return part.map((one) => withLiterals(one, constants));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, member]) => [name, withLiterals(member, constants)] as const);
  const copy = Object.fromEntries(members);
  const constant = typeof copy.valueRef === 'string' ? constants[copy.valueRef] : undefined;
  return constant ? { ...copy, value: constant.value } : copy;
}
