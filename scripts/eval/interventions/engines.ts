// The engines that evaluate cases of interventions.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { compileFidelity } from '#support/interventions/engine/assignments/delivered.ts';
import { compileSteps } from '#support/interventions/engine/assignments/steps.ts';
import { compileTrack } from '#support/interventions/engine/assignments/track.ts';
import { compileRecommendation } from '#support/interventions/engine/bundles/recommend.ts';
import { bundleSettings } from '#support/interventions/engine/bundles/settings.ts';
import { compileClusters } from '#support/interventions/engine/clustering/generation.ts';
import { compileProfiles } from '#support/interventions/engine/profiles/resolve.ts';
import { compileReasonCodes } from '#support/interventions/engine/reason-codes.ts';
import { compileRti } from '#support/rti/engine/compiled.ts';
import { compileBlueprints } from '#teaching/lesson-blueprints/engine/findings.ts';

/** Compiles the engines of all cases once. */
export const compileEngines = (bundle: RuleBundle) => ({
  bundle,
  profiles: compileProfiles(bundle),
  recommendation: compileRecommendation(bundle),
  clusters: compileClusters(bundle),
  steps: compileSteps(bundle),
  track: compileTrack(bundle),
  fidelity: compileFidelity(bundle),
  settings: bundleSettings(bundle),
  codes: compileReasonCodes(bundle),
  rti: compileRti(bundle),
  blueprints: compileBlueprints(bundle),
});
export type Engines = ReturnType<typeof compileEngines>;
