// What capabilities do with rules, gathered for those who judge a document before it is published.
import type { Capability } from '#core/module/capability.ts';
import { type StoredRows, type TextSource, textSources } from '#rules/language/index.ts';
import {
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
  readonly shapes: DocumentValidators;
  readonly simulators: readonly Simulator[];
  readonly wires: readonly ValueContract[];
  readonly readers: readonly ((bundle: RuleBundle) => void)[];
  /** By family. */
  readonly valueChecks: ReadonlyMap<string, (question: ValueQuestion) => readonly Finding[]>;
  /** By family: what its values say to facts. */
  readonly valueTrials: ReadonlyMap<string, (trial: ValueTrial) => object>;
  /** Everything that is served, for the proof that it may be; `stored` is what the database holds of it. */
  texts(stored: StoredRows): readonly TextSource[];
}

export const ruleUse = (capabilities: readonly Capability[]): RuleUse => ({
  shapes: documentValidators(capabilities),
  simulators: simulatorsOf(capabilities),
  wires: capabilities.flatMap(({ valueContracts = [] }) => valueContracts),
  readers: capabilities.flatMap(({ ruleReaders = [] }) =>
    ruleReaders.map((read) => (bundle: RuleBundle) => read(bundle, capabilities)),
  ),
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
