// What capabilities do with rules, gathered for those who judge a document before it is published.
import type { Capability } from '#core/module/capability.ts';
import { type StoredRows, type TextSource, textSources } from '#rules/language/index.ts';
import {
  type Finding,
  type ReadingShapes,
  type RuleBundle,
  shapesOf,
  type ValueQuestion,
  type ValueTrial,
  type Wire,
} from '#rules/rulesets/index.ts';

export interface RuleUse {
  readonly shapes: ReadingShapes;
  readonly wires: readonly Wire[];
  readonly readers: readonly ((bundle: RuleBundle) => void)[];
  /** By family. */
  readonly valueChecks: ReadonlyMap<string, (question: ValueQuestion) => readonly Finding[]>;
  /** By family: what its values say to facts. */
  readonly valueTrials: ReadonlyMap<string, (trial: ValueTrial) => object>;
  /** Everything that is served, for the proof that it may be; `stored` is what the database holds of it. */
  texts(stored: StoredRows): readonly TextSource[];
}

export const ruleUse = (capabilities: readonly Capability[]): RuleUse => ({
  shapes: shapesOf(capabilities),
  wires: capabilities.flatMap(({ ruleWires = [] }) => ruleWires),
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
