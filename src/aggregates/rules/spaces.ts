// By which rules each space of cells is protected: its words, and the numbers of the rule document.
import type { RuleBundle } from '../../rulesets/index.ts';
import type { ProtectionRules } from '../engine/units.ts';
import { aggregateBands } from './bands.ts';
import { protectionSettings } from './protection.ts';

/** Throws BundleError or RangeError where the document does not say it. */
export const tileProtection = (bundle: RuleBundle): ProtectionRules => ({
  ...protectionSettings(bundle),
  bands: aggregateBands,
  neverAlone: ['Below', 'Severe'],
});
