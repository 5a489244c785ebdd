// The evaluation of each kind of case, in the form of the golden cases.
import { activationCase, moveCase, reviewCase, stepsCase } from './assignments.ts';
import { fidelityCase, pooledCase, trackCase, weeksCase } from './calendar.ts';
import { bulkCase, generationCase } from './clustering.ts';
import type { Engines } from './engines.ts';
import { profileCase } from './profile.ts';
import { recommendationCase } from './recommendation.ts';
import { approvalCase, commitCase, layerACase, openableCase, progressCase, skillFactsCase, tierCase } from './rti.ts';
import { alertsCase } from './rti-alerts.ts';
import { findingsCase, recommendedCase } from './session-blueprints.ts';

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
