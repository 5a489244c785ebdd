// What measurement is given of the sub-flags: to let them climb, and to ask for a hint.
import type { ItemBanks, TrainingLadder } from '../measurement/index.ts';
import type { ActiveRules } from '../rulesets/index.ts';
import { climb } from './climb.ts';
import { flagMet, hintText } from './engine/hint.ts';
import { subFlagRules } from './rules.ts';
import { subFlags } from './store.ts';

/** Works with the rules in force. */
export function trainingLadder(active: ActiveRules, banks: ItemBanks): TrainingLadder {
  return {
    async climb(trx, training, now) {
      const { rules } = await active.at(trx, now);
      await climb(trx, banks, subFlagRules(rules), training, now);
    },
    async hintFor(trx, training, item, now) {
      const { families, ladder, messages } = subFlagRules((await active.at(trx, now)).rules);
      const flags = await subFlags(trx, training);
      const supported = flags.filter(({ level }) => ladder.supportedLevels.has(level));
      const met = flagMet(item, supported, families);
      return met ? { patternKey: met.patternKey, textAr: hintText(met.patternKey, messages) } : null;
    },
  };
}
