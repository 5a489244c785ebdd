// What capabilities do with rules, gathered for those who judge a document before it is published.
import type { Capability } from '../../kernel/capability.ts';
import type { RuleReader, Wire } from '../../rulesets/index.ts';

export interface RuleUse {
  readonly wires: readonly Wire[];
  readonly readers: readonly RuleReader[];
}

export const ruleUse = (capabilities: readonly Capability[]): RuleUse => ({
  wires: capabilities.flatMap(({ ruleWires = [] }) => ruleWires),
  readers: capabilities.flatMap(({ ruleReaders = [] }) => ruleReaders),
});
