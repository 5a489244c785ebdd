// The shape of a rule document: what a person writes, json-rules-engine reads and a published version freezes.

export type FactValue = number | string | boolean;
export type Facts = Readonly<Record<string, FactValue>>;

/** `family/key`, for example `ssr/ssr`. */
export type DocumentName = `${string}/${string}`;

export type Better = 'up' | 'down' | null;

/** `min` and `max` are inclusive, in `unit`. `better` says in which direction a value speaks for the child. */
export interface NumericFact {
  readonly type: 'integer' | 'decimal';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  readonly better: Better;
}

/** With `better`, the order of `values` is the order of the scale. */
export interface EnumFact {
  readonly type: 'enum';
  readonly values: readonly string[];
  readonly better: Better;
}

export interface BooleanFact {
  readonly type: 'boolean';
  readonly better: Better;
}

export type FactSpec = NumericFact | EnumFact | BooleanFact;

export const operatorNames = [
  'equal',
  'notEqual',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'in',
  'notIn',
] as const;
export type OperatorName = (typeof operatorNames)[number];

/** One comparison. `valueRef` names the constant that the literal stands for; the loader checks that they agree. */
export interface Leaf {
  readonly fact: string;
  readonly operator: OperatorName;
  readonly value: FactValue | readonly FactValue[];
  readonly valueRef?: string;
}
export interface AllOf {
  readonly all: readonly Condition[];
}
export interface AnyOf {
  readonly any: readonly Condition[];
}
export interface Not {
  readonly not: Condition;
}
/** What a rule holds at its root: json-rules-engine refuses a bare leaf there. */
export type RootCondition = AllOf | AnyOf | Not;
export type Condition = Leaf | RootCondition;

export interface Rule {
  readonly name: string;
  readonly priority: number;
  readonly rationale: string;
  readonly conditions: RootCondition;
  readonly event: { readonly type: string; readonly params: RuleParams };
}
export type RuleParams = Readonly<Record<string, unknown>> & { readonly outcome: string };

/** A combination of facts that cannot occur. */
export interface Constraint {
  readonly id: string;
  readonly rationale: string;
  readonly impossible: RootCondition;
}

export interface Constant {
  readonly value: FactValue;
  readonly unit?: string;
  readonly rationale: string;
}

export interface LocalText {
  readonly ar: string;
  readonly en: string;
}

export interface Waiver {
  readonly code: string;
  readonly subject: string;
  readonly reason: string;
}

export interface DocumentMeta {
  readonly family: string;
  readonly key: string;
  readonly version: number;
  readonly title: LocalText;
}

export interface TableMeta extends DocumentMeta {
  readonly hitPolicy: 'first' | 'collect';
  readonly vocabulary: string;
}

/** A decision table. Of a first-hit table the last rule is the declared default (`{"all": []}`). */
export interface TableDocument {
  readonly meta: TableMeta;
  readonly facts: Readonly<Record<string, FactSpec>>;
  readonly constraints?: readonly Constraint[];
  readonly constants?: Readonly<Record<string, Constant>>;
  /** `order` runs from worst to best; `unordered` values say something that is neither. */
  readonly outcomes: { readonly order: readonly string[]; readonly unordered: readonly string[] };
  readonly messages?: Readonly<Record<string, LocalText>>;
  readonly waivers?: readonly Waiver[];
  readonly rules: readonly Rule[];
}

/** Constants and whatever else its family's schema names; it decides nothing by itself. */
export interface ValueDocument {
  readonly meta: DocumentMeta;
  readonly constants?: Readonly<Record<string, Constant>>;
  readonly [section: string]: unknown;
}

export type RuleDocument = TableDocument | ValueDocument;

export const isTable = (document: RuleDocument): document is TableDocument => 'hitPolicy' in document.meta;

export const documentName = (document: { readonly meta: DocumentMeta }): DocumentName =>
  `${document.meta.family}/${document.meta.key}`;

/** `family/key@version`: how the lock file, stamps and messages name one frozen text. */
export const documentId = (document: { readonly meta: DocumentMeta }): string =>
  `${documentName(document)}@${document.meta.version}`;

/** What a table decided: `params` are the event's, `outcome` among them. */
export interface Decision {
  readonly ruleId: string;
  readonly outcome: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly trace?: readonly TraceStep[];
}

/** One rule that was tried: its first condition that did not hold, or on a rule that matched the conditions that made it. */
export interface TraceStep {
  readonly ruleId: string;
  readonly failed?: TracedCondition;
  readonly held?: readonly TracedCondition[];
}

/** `at` is the place in the rule, such as `all.1.not`; `negated` when the rule asks for the opposite of the leaf. */
export interface TracedCondition extends Leaf {
  readonly at: string;
  readonly actual: FactValue;
  readonly negated: boolean;
}
