// Simulates the table of error patterns (SUBFLAG) over the stored counts of each flag.

import { compileCatalogue } from '#rules/catalogue/index.ts';
import type { ResultSimulator, RuleBundle, SimulatedBundles, SimulationTally } from '#rules/rulesets/index.ts';
import { compileEscalation, type Escalation, factsOf } from '../../error-patterns/index.ts';
import { changedLimits, explainFlag, hitsOf } from './flag-tables.ts';
import { type StoredFlag, storedFlags } from './flags.ts';
import { ruleName } from './simulation.ts';

const table = 'subflag/subflag';

export const errorPatternSimulator: ResultSimulator = {
  compares: 'results',
  rank: 20,
  layers: ['SUBFLAG'],
  simulates: (document) => document === table,
  prepare: (rules) => {
    const escalations = [escalationOf(rules.before), escalationOf(rules.after)];
    return {
      scales: { SUBFLAG: rules.after.table(table).document.outcomes.order },
      tables: [table],
      notSimulated: changedLimits(rules, table),
      read: async (trx, _services, { organizationId, years: students, asOf }) => {
        const flags = await storedFlags(trx, { organizationId, students, asOf });
        const isChanged = (tally: SimulationTally) => (flag: StoredFlag) => compare(tally, rules, escalations, flag);
        return { compareStored: (tally) => flags.filter(isChanged(tally)).map(({ studentId }) => studentId) };
      },
      explain: async ({ reading, organizationId, asOf }, slots) => {
        const students = slots.map(({ studentId, ref }) => ({ studentId, schoolYear: ref, from: asOf }));
        const flags = await reading((trx) => storedFlags(trx, { organizationId, students, asOf }));
        const idOf = (studentId: number, year: string, key: string) => `subflag:${studentId}.${year}.${key}`;
        const byId = new Map(flags.map((flag) => [idOf(flag.studentId, flag.schoolYear, flag.patternKey), flag]));
        return (slot) => {
          const stampId = idOf(slot.studentId, slot.ref, slot.subject);
          const flag = byId.get(stampId);
          return flag && explainFlag(rules, slot, table, stampId, factsOf(flag));
        };
      },
    };
  },
};

const escalationOf = (bundle: RuleBundle): Escalation => compileEscalation(bundle, compileCatalogue(bundle));

/** Compares a flag's states. A reached level stays, so a stricter table lowers none. */
function compare(
  tally: SimulationTally,
  { before, after }: SimulatedBundles,
  escalations: readonly Escalation[],
  flag: StoredFlag,
): boolean {
  const { studentId, schoolYear, patternKey } = flag;
  const facts = factsOf(flag);
  for (const { ruleId } of hitsOf(before.table(table), facts) ?? []) tally.addHits('before', ruleName(table, ruleId));
  for (const { ruleId } of hitsOf(after.table(table), facts) ?? []) tally.addHits('after', ruleName(table, ruleId));
  const [from = flag.state, to = flag.state] = escalations.map(({ flagOf }) => flagOf([], [], flag).state);
  return tally.addPairs('SUBFLAG', { studentId, ref: schoolYear }, [{ subject: patternKey, from, to }]);
}
