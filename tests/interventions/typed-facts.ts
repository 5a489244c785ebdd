// How the engines of interventions give their facts to each table that they ask for a first hit, by the table's name.
import { fidelityFacts } from '../../src/interventions/assignments/engine/delivered.ts';
import { recipientFacts } from '../../src/interventions/assignments/engine/recipients.ts';
import { stepProgressFacts } from '../../src/interventions/assignments/engine/steps.ts';
import { trackFacts } from '../../src/interventions/assignments/engine/track.ts';
import { deliveryModeFacts, scaffoldTierFacts } from '../../src/interventions/bundles/engine/delivery.ts';
import { bundleFacts } from '../../src/interventions/bundles/engine/recommend.ts';
import { sufficiencyFacts } from '../../src/interventions/bundles/engine/sufficiency.ts';
import { bucketFacts, keyTierFacts } from '../../src/interventions/clustering/engine/partition.ts';
import { resolutionFacts } from '../../src/interventions/profiles/engine/resolve.ts';
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
};
