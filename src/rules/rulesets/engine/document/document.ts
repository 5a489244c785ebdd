// The types of a rule document, as people write it, json-rules-engine reads it and a published version freezes it.

export type FactValue = number | string | boolean;
export type Facts = Readonly<Record<string, FactValue>>;

/** `family/key`, for example `ssr/ssr`. */
export type DocumentName = `${string}/${string}`;

export type Better = 'up' | 'down' | null;

/** `min` and `max` are inclusive, in `unit`. `better` gives the direction that is better for the child. */
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

/** One comparison. `valueRef` names the constant behind the literal; the loader checks that they agree. */
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
/** The root of a rule. json-rules-engine accepts no bare leaf there. */
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

/** A decision table. The last rule of a first-hit table is the declared default (`{"all": []}`). */
export interface TableDocument {
  readonly meta: TableMeta;
  readonly facts: Readonly<Record<string, FactSpec>>;
  readonly constraints?: readonly Constraint[];
  readonly constants?: Readonly<Record<string, Constant>>;
  /** `order` runs from worst to best; `unordered` outcomes are not comparable. */
  readonly outcomes: { readonly order: readonly string[]; readonly unordered: readonly string[] };
  readonly messages?: Readonly<Record<string, LocalText>>;
  readonly waivers?: readonly Waiver[];
  readonly rules: readonly Rule[];
}

/** A value document: constants and the sections that its family's schema names. It makes no decisions. */
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

/** A decision of a table: `params` are the event's, including `outcome`. */
export interface Decision {
  readonly ruleId: string;
  readonly outcome: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly trace?: readonly TraceStep[];
}

/** One rule that was tried: its first failed condition, or the conditions by which it matched. */
export interface TraceStep {
  readonly ruleId: string;
  readonly failed?: TracedCondition;
  readonly held?: readonly TracedCondition[];
}

/** `at` is the path in the rule, such as `all.1.not`; `negated` when the rule asks for the opposite of the leaf. */
export interface TracedCondition extends Leaf {
  readonly at: string;
  readonly actual: FactValue;
  readonly negated: boolean;
}
