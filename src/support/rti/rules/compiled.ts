// The rules of tiers, alerts and packets in force, compiled once a process.
import { unavailable } from '#core/platform/errors.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileRti, type RtiRules } from '../engine/compiled.ts';

const compiled = new WeakMap<RuleBundle, RtiRules>();

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export function rtiRules(bundle: RuleBundle): RtiRules {
  const known = compiled.get(bundle) ?? orUnavailable(bundle);
  compiled.set(bundle, known);
  return known;
}

function orUnavailable(bundle: RuleBundle): RtiRules {
  try {
    return compileRti(bundle);
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of tiers and alerts is missing.');
    throw error;
  }
}
