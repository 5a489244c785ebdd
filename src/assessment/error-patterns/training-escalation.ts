// The service that measurement receives: escalate sub-flags and get a hint.

import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { ItemBanks } from '../content/index.ts';
import type { TrainingEscalation } from '../measurement/index.ts';
import { flagMet, hintText } from './engine/hint.ts';
import { escalate } from './escalate.ts';
import { subFlagRules } from './rules.ts';
import { subFlags } from './store.ts';

/** Uses the rules in force. */
export function trainingEscalation(active: ActiveRules, banks: ItemBanks): TrainingEscalation {
  return {
    async escalate(trx, training, now) {
      const { rules } = await active.at(trx, now);
      await escalate(trx, banks, subFlagRules(rules), training, now);
    },
    async hintFor(trx, training, item, now) {
      const { families, escalation, messages } = subFlagRules((await active.at(trx, now)).rules);
      const flags = await subFlags(trx, training);
      const supported = flags.filter(({ level }) => escalation.supportedLevels.has(level));
      const met = flagMet(item, supported, families);
      return met ? { patternKey: met.patternKey, textAr: hintText(met.patternKey, messages) } : null;
    },
  };
}
