// The values that tables of profiles, bundles and groups may pass to each other and to code: a new value is refused until every
// reader knows it.
import type { ValueContract } from '#rules/rulesets/index.ts';
import { exclusionReasons } from '../engine/clustering/partition.ts';
import {
  anchorKinds,
  deliveryModes,
  haltOutcomes,
  profileCodes,
  profileModifiers,
  recommendationActions,
  scaffoldTiers,
  sufficiencies,
  sufficiencyReasons,
  trackStatuses,
} from '../engine/vocabulary.ts';

const profile: readonly ValueContract[] = [
  { from: 'ddr-lc/ddr-lc', param: 'outcome', to: 'profile/resolution', fact: 'pattern', also: ['none'] },
  { from: 'profile/resolution', param: 'outcome', to: 'profile/modifiers', fact: 'profileCode' },
  { from: 'profile/resolution', param: 'outcome', to: 'bundle/recommendation', fact: 'profileCode' },
  { from: 'profile/resolution', param: 'outcome', reader: 'profile codes', accepts: profileCodes },
  { from: 'profile/resolution', param: 'anchor', reader: 'anchor of a profile', accepts: anchorKinds },
  {
    from: 'profile/resolution',
    param: 'haltOutcome',
    optional: true,
    reader: 'outcome of a profile',
    accepts: haltOutcomes,
  },
  { from: 'profile/modifiers', param: 'outcome', reader: 'modifiers of a profile', accepts: profileModifiers },
];

const bundles: readonly ValueContract[] = [
  { from: 'bundle/recommendation', param: 'action', reader: 'recommended action', accepts: recommendationActions },
  {
    from: 'bundle/recommendation',
    param: 'scaffoldTier',
    optional: true,
    reader: 'scaffold tier',
    accepts: scaffoldTiers,
  },
  {
    from: 'bundle/recommendation',
    param: 'deliveryMode',
    optional: true,
    reader: 'delivery mode',
    accepts: deliveryModes,
  },
  {
    from: 'ssr/ssr',
    param: 'outcome',
    except: ['do_not_decide_yet'],
    to: 'bundle/scaffold-tier',
    fact: 'anchorStatus',
    also: ['none'],
  },
  // For an open assignment its tier is used instead.
  {
    from: 'bundle/scaffold-tier',
    param: 'outcome',
    except: ['assignment'],
    to: 'bundle/delivery-mode',
    fact: 'scaffoldTier',
  },
  {
    from: 'bundle/delivery-mode',
    param: 'outcome',
    reader: 'delivery mode',
    accepts: [...deliveryModes, 'none', 'default'],
  },
  {
    from: 'bundle/step-progress',
    param: 'outcome',
    reader: 'steps of an assignment',
    accepts: ['hold', 'step_done', 'goal_met', 'goal_not_met', 'stay'],
  },
  { from: 'bundle/track-status', param: 'outcome', reader: 'track status', accepts: trackStatuses },
];

const clusters: readonly ValueContract[] = [
  {
    from: 'bundle/scaffold-tier',
    param: 'outcome',
    except: ['assignment'],
    to: 'cluster/key-tier',
    fact: 'scaffoldTier',
  },
  {
    from: 'cluster/smart-cluster',
    param: 'reasonCode',
    reader: 'reasons of exclusion',
    accepts: [...exclusionReasons, 'none'],
  },
  { from: 'cluster/key-tier', param: 'outcome', reader: 'tier of a cluster key', accepts: ['Level_1_2', 'same'] },
];

const sufficiency: readonly ValueContract[] = [
  { from: 'fidelity/gate', param: 'outcome', to: 'rti/data-sufficiency', fact: 'gate' },
  { from: 'rti/data-sufficiency', param: 'outcome', reader: 'sufficiency of data', accepts: sufficiencies },
  { from: 'rti/data-sufficiency', param: 'reason', reader: 'sufficiency of data', accepts: sufficiencyReasons },
];

export const interventionContracts: readonly ValueContract[] = [...profile, ...bundles, ...clusters, ...sufficiency];
