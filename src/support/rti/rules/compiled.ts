// The rules of tiers, alerts and packets in force, compiled once for each rule bundle, and their validation for rule authors.
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileRti } from '../engine/compiled.ts';

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export const rtiRules = perBundle(compileRti, 'A rule document of tiers and alerts is missing.');

/** Throws BundleError or RangeError with the part that cannot be read. */
export function readRtiRules(bundle: RuleBundle): void {
  compileRti(bundle);
}
