// The rules of tiers, alerts and packets of a rule bundle.
import { compileCatalogue, compileRoles } from '#rules/catalogue/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { compileReasonCodes, compileSufficiency } from '../../interventions/engine/index.ts';
import { compileClearsWhen } from './alerts/clears-when.ts';
import { compileAlerts } from './alerts/evaluate.ts';
import { compilePackets } from './packets/rules.ts';
import { rtiSettings } from './settings.ts';
import { compileLayerA } from './skills/layer-a.ts';
import { compileDecisionPossible } from './tiers/decision-possible.ts';
import { compileTierRecommendation } from './tiers/recommend.ts';

export type RtiRules = ReturnType<typeof compileRti>;

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileRti(bundle: RuleBundle) {
  const settings = rtiSettings(bundle);
  const catalogue = compileCatalogue(bundle);
  const sufficiency = compileSufficiency(bundle);
  return {
    versions: bundle.versions,
    settings,
    codes: compileReasonCodes(bundle),
    skills: { catalogue, roles: compileRoles(bundle, catalogue), acuteDropDays: settings.acuteDropDays },
    layerA: compileLayerA(bundle),
    alerts: compileAlerts(bundle),
    clearsWhen: compileClearsWhen(bundle),
    sufficiency,
    decisionPossible: compileDecisionPossible(bundle, sufficiency),
    recommend: compileTierRecommendation(bundle),
    packets: compilePackets(bundle),
  };
}
