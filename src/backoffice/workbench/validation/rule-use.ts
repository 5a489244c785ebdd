// What capabilities declare of rules, collected for the validation of documents.
import type { Capability } from '#core/module/capability.ts';
import { type StoredRows, type TextSource, textSources } from '#rules/language/index.ts';
import {
  type DocumentCheck,
  type DocumentValidators,
  documentValidators,
  type Finding,
  type RuleBundle,
  type Simulator,
  simulatorsOf,
  type ValueContract,
  type ValueQuestion,
  type ValueTrial,
} from '#rules/rulesets/index.ts';

export interface RuleUse {
  readonly validators: DocumentValidators;
  readonly simulators: readonly Simulator[];
  readonly valueContracts: readonly ValueContract[];
  readonly readers: readonly ((bundle: RuleBundle) => void)[];
  /** Checks of every document beside the others. */
  readonly documentChecks: readonly DocumentCheck[];
  /** Checks by family. */
  readonly valueChecks: ReadonlyMap<string, (question: ValueQuestion) => readonly Finding[]>;
  /** By family, what evaluates its documents of values on facts. */
  readonly valueTrials: ReadonlyMap<string, (trial: ValueTrial) => object>;
  /** Returns all texts that are served, for the proof that they may be; `stored` are those from the database. */
  texts(stored: StoredRows): readonly TextSource[];
}

export const ruleUse = (capabilities: readonly Capability[]): RuleUse => ({
  validators: documentValidators(capabilities),
  simulators: simulatorsOf(capabilities),
  valueContracts: capabilities.flatMap(({ valueContracts = [] }) => valueContracts),
  readers: capabilities.flatMap(({ ruleReaders = [] }) =>
    ruleReaders.map((read) => (bundle: RuleBundle) => read(bundle, capabilities)),
  ),
  documentChecks: capabilities.flatMap(({ documentChecks = [] }) => documentChecks),
  valueChecks: new Map(
    capabilities
      .flatMap(({ ruleFamilies = [] }) => ruleFamilies)
      .flatMap(({ family, checkValues }) =>
        checkValues ? [[family, (question: ValueQuestion) => checkValues(question, capabilities)] as const] : [],
      ),
  ),
  valueTrials: new Map(
    capabilities
      .flatMap(({ ruleFamilies = [] }) => ruleFamilies)
      .flatMap(({ family, tryValues }) => (tryValues ? [[family, tryValues] as const] : [])),
  ),
  texts: (stored) => textSources(capabilities, stored),
});
