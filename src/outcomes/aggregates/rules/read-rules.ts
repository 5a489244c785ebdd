// Validates that the rules of bands and protection in a bundle can be read, before rules are published.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { bandAudiences, bandDescriptions } from './bands.ts';
import { protectionSettings } from './protection.ts';

/** Throws BundleError or RangeError that names what cannot be read. */
export function readAggregateRules(bundle: RuleBundle): void {
  for (const audience of bandAudiences) bandDescriptions(bundle, audience);
  protectionSettings(bundle);
}
