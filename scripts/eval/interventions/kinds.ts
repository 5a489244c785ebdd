// What each kind of case asks of the engines of interventions, in the shapes of the golden cases.

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
import { activationCase, moveCase, reviewCase, stepsCase } from './assignments.ts';
import { fidelityCase, pooledCase, trackCase, weeksCase } from './calendar.ts';
import { bulkCase, generationCase } from './clustering.ts';
import { profileCase } from './profile.ts';
import { recommendationCase } from './recommendation.ts';
import { approvalCase, commitCase, layerACase, openableCase, progressCase, skillFactsCase, tierCase } from './rti.ts';
import { alertsCase } from './rti-alerts.ts';
import { findingsCase, recommendedCase } from './session-blueprints.ts';

/** All that the cases are worked out with, compiled once. */
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

type Kind = (input: never, engines: Engines) => unknown;

export const kinds: Readonly<Record<string, Kind>> = {
  profile: profileCase,
  recommendation: recommendationCase,
  generation: generationCase,
  bulk_check: bulkCase,
  steps: stepsCase,
  move: moveCase,
  weeks: weeksCase,
  fidelity: fidelityCase,
  track_status: trackCase,
  pooled_fidelity: pooledCase,
  activation_check: activationCase,
  review_check: reviewCase,
  rti_layer_a: layerACase,
  rti_skill_facts: skillFactsCase,
  rti_progress: progressCase,
  rti_alerts: alertsCase,
  rti_recommendation: tierCase,
  rti_commit: commitCase,
  rti_openable: openableCase,
  rti_approval: approvalCase,
  blueprint_findings: findingsCase,
  recommended_sessions: recommendedCase,
};
