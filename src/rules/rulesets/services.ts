// What capabilities say of the rules that they answer for. The workbench asks it of their list: it knows no family itself.
import type { TSchema } from 'typebox';
import type { Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { Reading } from '#core/platform/db.ts';
import type { DocumentSchemas } from './document-schemas.ts';
import type { FactCategories } from './engine/actionable.ts';
import type { ValueContract } from './engine/analysis/pipeline/value-contracts.ts';
import type { RuleBundle } from './engine/bundle.ts';
import type { RuleDocument, ValueDocument } from './engine/document/document.ts';
import type { Finding } from './engine/document/findings.ts';
import type { AnyCase } from './engine/golden.ts';

/** A document of values with all cases that it answers to, those of earlier versions among them. */
export interface ValueQuestion {
  readonly document: ValueDocument;
  readonly cases: readonly AnyCase[];
}

/** What is wrong beyond the schema. Pure, and asked in a thread with limits. */
export type ValueCheck = (question: ValueQuestion, capabilities: readonly Capability[]) => readonly Finding[];

/** A draft or a version that is asked by hand. */
export interface ValueTrial {
  readonly document: ValueDocument;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The documents in force, those of its own name left out. */
  readonly around: readonly RuleDocument[];
}

export interface RuleFamilyPart {
  /** As in `rules/<family>/…`. */
  readonly family: string;
  /** Decides about children, or what is told of them: an approval has to quote the report of what a draft would change. */
  readonly needsImpact: boolean;
  /** A version that one person has written and published alone comes into force by another's hand. */
  readonly needsOtherActivator?: boolean;
  /** Of its documents of values. */
  readonly checkValues?: ValueCheck;
  /** What its documents of values say to facts. Pure, asked in the same thread. Throws VALIDATION_ERROR, ENGINE_UNAVAILABLE. */
  readonly tryValues?: (trial: ValueTrial) => object;
}

/** Stored results of certain kinds, explained from the rules and the facts that they came from. */
export interface Explainer {
  /** Words before the colon of a stamp's id. */
  readonly kinds: readonly string[];
  readonly view: TSchema;
  /** Undefined for an id that is malformed or out of sight. No transaction is open while it is worked out. */
  explain(reading: Reading, services: Services, kind: string, id: string): Promise<object | undefined>;
}

/** Compiles all that the capability reads out of a bundle; throws what cannot be read. */
export type RuleReader = (bundle: RuleBundle, capabilities: readonly Capability[]) => void;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly ruleFamilies?: readonly RuleFamilyPart[];
    /** What its tables say to each other and to the code that reads them. */
    readonly valueContracts?: readonly ValueContract[];
    /** What its documents hold. */
    readonly documentSchemas?: DocumentSchemas;
    /** Which facts of its tables a nearest change may be told in. */
    readonly factCategories?: FactCategories;
    /** Asked before rules are published: an unknown word is found then, and not by a child's next result. */
    readonly ruleReaders?: readonly RuleReader[];
    readonly explainers?: readonly Explainer[];
  }
}
