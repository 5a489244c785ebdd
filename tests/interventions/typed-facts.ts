// How the engines of interventions give their facts to each table that they ask for a first hit, by the table's name.
import { fidelityFacts } from '../../src/interventions/engine/assignments/delivered.ts';
import { recipientFacts } from '../../src/interventions/engine/assignments/recipients.ts';
import { stepProgressFacts } from '../../src/interventions/engine/assignments/steps.ts';
import { trackFacts } from '../../src/interventions/engine/assignments/track.ts';
import { deliveryModeFacts, scaffoldTierFacts } from '../../src/interventions/engine/bundles/delivery.ts';
import { bundleFacts } from '../../src/interventions/engine/bundles/recommend.ts';
import { sufficiencyFacts } from '../../src/interventions/engine/bundles/sufficiency.ts';
import { bucketFacts, keyTierFacts } from '../../src/interventions/engine/clustering/partition.ts';
import { resolutionFacts } from '../../src/interventions/engine/profiles/resolve.ts';
import { alertTableFacts } from '../../src/rti/engine/alerts/facts.ts';
import { skillStateFacts } from '../../src/rti/engine/skills/layer-a.ts';
import { tierFacts } from '../../src/rti/engine/tiers/recommend.ts';
import type { DocumentName } from '../../src/rulesets/engine/document/document.ts';
import { type AnyTypedFacts, untyped } from '../skill-status/engine/typed-facts.ts';

export const interventionFactsOf: Readonly<Record<DocumentName, AnyTypedFacts>> = {
  'profile/resolution': untyped(resolutionFacts),
  'bundle/recommendation': untyped(bundleFacts),
  'bundle/scaffold-tier': untyped(scaffoldTierFacts),
  'bundle/delivery-mode': untyped(deliveryModeFacts),
  'bundle/step-progress': untyped(stepProgressFacts),
  'bundle/track-status': untyped(trackFacts),
  'bundle/session-recipient': untyped(recipientFacts),
  'cluster/smart-cluster': untyped(bucketFacts),
  'cluster/key-tier': untyped(keyTierFacts),
  'rti/data-sufficiency': untyped(sufficiencyFacts),
  'fidelity/gate': untyped(fidelityFacts),
  'rti/skill-state': untyped(skillStateFacts),
  'rti/alerts': untyped(alertTableFacts),
  'rti/tier-recommendation': untyped(tierFacts),
};
