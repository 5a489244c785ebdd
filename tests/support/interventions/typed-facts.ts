// The facts of each table that the engines of interventions ask for a first hit, by the table's name.

import type { DocumentName } from '#rules/rulesets/engine/document/document.ts';
import { fidelityFacts } from '#support/interventions/engine/assignments/delivered.ts';
import { recipientFacts } from '#support/interventions/engine/assignments/recipients.ts';
import { stepProgressFacts } from '#support/interventions/engine/assignments/steps.ts';
import { trackFacts } from '#support/interventions/engine/assignments/track.ts';
import { deliveryModeFacts, scaffoldTierFacts } from '#support/interventions/engine/bundles/delivery.ts';
import { bundleFacts, firstBundleFacts } from '#support/interventions/engine/bundles/recommend.ts';
import { sufficiencyFacts } from '#support/interventions/engine/bundles/sufficiency.ts';
import { bucketFacts, keyTierFacts } from '#support/interventions/engine/clustering/partition.ts';
import { resolutionFacts } from '#support/interventions/engine/profiles/resolve.ts';
import { alertTableFacts } from '#support/rti/engine/alerts/facts.ts';
import { skillStateFacts } from '#support/rti/engine/skills/layer-a.ts';
import { tierFacts } from '#support/rti/engine/tiers/recommend.ts';
import { type AnyTypedFacts, untyped } from '../../assessment/skill-status/engine/typed-facts.ts';

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

/** The facts of versions that were asked otherwise, by the table's id. */
export const earlierInterventionFactsOf: Readonly<Record<string, AnyTypedFacts>> = {
  'bundle/recommendation@1': untyped(firstBundleFacts),
};
