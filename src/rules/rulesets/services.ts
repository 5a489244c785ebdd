// The rules that capabilities declare. The workbench reads them from the list of capabilities and knows no family
// itself.
import type { TSchema } from 'typebox';
import type { Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import type { DocumentSchemas } from './document-schemas.ts';
import type { FactCategories } from './engine/actionable.ts';
import type { ValueContract } from './engine/analysis/pipeline/value-contracts.ts';
import type { RuleBundle } from './engine/bundle.ts';
import type { RuleDocument, ValueDocument } from './engine/document/document.ts';
import type { Finding } from './engine/document/findings.ts';
import type { AnyCase } from './engine/golden.ts';

/** A value document with all its cases, including those of earlier versions. */
export interface ValueQuestion {
  readonly document: ValueDocument;
  readonly cases: readonly AnyCase[];
}

/** Returns findings beyond the schema. Pure; runs in a worker thread with limits. */
export type ValueCheck = (question: ValueQuestion, capabilities: readonly Capability[]) => readonly Finding[];

/** A draft or version with facts to try. */
export interface ValueTrial {
  readonly document: ValueDocument;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The documents in force, except those of its own name. */
  readonly around: readonly RuleDocument[];
}

/** Returns findings about a document that lies in the bundle. Pure; runs in a worker thread. */
export type DocumentCheck = (document: RuleDocument, bundle: RuleBundle) => readonly Finding[];

export interface RuleFamilyPart {
  /** The folder name in `rules/<family>/…`. */
  readonly family: string;
  /** Whether a version that one person wrote and published alone must be activated by another person. */
  readonly needsOtherActivator?: boolean;
  /** Checks its value documents. */
  readonly checkValues?: ValueCheck;
  /**
   * Evaluates its value documents with facts. Pure; runs in a worker thread. Throws VALIDATION_ERROR or
   * ENGINE_UNAVAILABLE.
   */
  readonly tryValues?: (trial: ValueTrial) => object;
}

/** Explains stored results of certain kinds from the rules and facts behind them. */
export interface Explainer {
  /** The part of the stamp's id before the colon. */
  readonly kinds: readonly string[];
  readonly view: TSchema;
  /** Returns undefined for an id that is malformed or not visible. No transaction is open while it computes. */
  explain(reading: ReadTransaction, services: Services, kind: string, id: string): Promise<object | undefined>;
}

/** Compiles all rules that the capability reads from a bundle. Throws what cannot be read. */
export type RuleReader = (bundle: RuleBundle, capabilities: readonly Capability[]) => void;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly ruleFamilies?: readonly RuleFamilyPart[];
    /** The values that its tables pass to each other and to code. */
    readonly valueContracts?: readonly ValueContract[];
    /** The schemas of its documents. */
    readonly documentSchemas?: DocumentSchemas;
    /** The facts of its tables that a nearest change may use. */
    readonly factCategories?: FactCategories;
    /** Called before rules are published, so that an unknown value is found then and not by a student's next result. */
    readonly ruleReaders?: readonly RuleReader[];
    /** Checks of every document beside the other documents in force. */
    readonly documentChecks?: readonly DocumentCheck[];
    readonly explainers?: readonly Explainer[];
  }
}
