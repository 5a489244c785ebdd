// Reads every rule of tiers, alerts and packets out of a bundle, for those who publish rules.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { compileRti } from '../engine/compiled.ts';

/** Throws BundleError or RangeError with what cannot be read. */
export function readRtiRules(bundle: RuleBundle): void {
  compileRti(bundle);
}
