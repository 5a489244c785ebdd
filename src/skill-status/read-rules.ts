// Reads every rule of the engine and of the sub-flag ladder out of a bundle: for those who publish rules.
import type { RuleBundle } from '../rulesets/index.ts';
import { compilePipeline } from './engine/evaluate.ts';
import { compileLadder } from './subflags/engine/ladder.ts';

/** Throws BundleError or RangeError with what cannot be read. */
export function readSkillStatusRules(bundle: RuleBundle): void {
  compileLadder(bundle, compilePipeline(bundle).catalogue);
}
