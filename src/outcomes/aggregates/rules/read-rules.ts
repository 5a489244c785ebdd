// Reads every rule of bands and of their protection out of a bundle, for those who publish rules.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { bandAudiences, bandDescriptions } from './bands.ts';
import { protectionSettings } from './protection.ts';

/** Throws BundleError or RangeError with what cannot be read. */
export function readAggregateRules(bundle: RuleBundle): void {
  for (const audience of bandAudiences) bandDescriptions(bundle, audience);
  protectionSettings(bundle);
}
