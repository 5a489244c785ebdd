// Which documents of language rules are in force: without that of its recipient a notification waits.
import { type SetName, tiersOfSet } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export const setsInForce = ({ versions }: RuleBundle): SetName[] =>
  (Object.keys(tiersOfSet) as SetName[]).filter((name) => versions[name] !== undefined);
