// The values that tables of tiers and alerts may take from others and pass to code: a new value is refused until every reader
// knows it.

import type { ValueContract } from '#rules/rulesets/index.ts';
import { sufficiencyReasons } from '../../interventions/index.ts';
import { reviewTypes, rtiAlertKinds, skillStates, tierDecisions } from '../engine/vocabulary.ts';

/** Tables and their readers. */
export const rtiContracts: readonly ValueContract[] = [
  { from: 'ssr/ssr', param: 'outcome', to: 'rti/skill-state', fact: 'outcome', also: ['do_not_decide_yet'] },
  { from: 'cbm/trend', param: 'outcome', to: 'rti/skill-state', fact: 'trend', also: ['none'] },
  { from: 'rti/skill-state', param: 'outcome', except: ['keep'], to: 'rti/skill-state', fact: 'prior', also: ['none'] },
  { from: 'rti/skill-state', param: 'outcome', reader: 'states of sub-skills', accepts: ['keep', ...skillStates] },
  { from: 'fidelity/gate', param: 'outcome', to: 'rti/alerts', fact: 'gate' },
  { from: 'rti/alerts', param: 'outcome', reader: 'kinds of alerts', accepts: ['halt', 'none', ...rtiAlertKinds] },
  { from: 'rti/data-sufficiency', param: 'reason', to: 'rti/tier-recommendation', fact: 'sufficiencyReason' },
  { from: 'rti/data-sufficiency', param: 'reason', reader: 'reviews', accepts: sufficiencyReasons },
  {
    from: 'rti/tier-recommendation',
    param: 'outcome',
    reader: 'decisions about tiers',
    accepts: [...tierDecisions, 'do_not_decide_yet'],
  },
  {
    from: 'rti/tier-recommendation',
    param: 'requiredPacket',
    optional: true,
    reader: 'types of reviews',
    accepts: reviewTypes,
  },
  {
    from: 'rti/tier-recommendation',
    param: 'packetFrom',
    optional: true,
    reader: 'tiers of a packet',
    accepts: ['most_intensive'],
  },
];
