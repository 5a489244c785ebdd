// Simulates the table of response behaviour (RBM) over the logged facts of each session.

import { flagPairs, type ResultSimulator, type SimulatedBundles, type SimulationTally } from '#rules/rulesets/index.ts';
import { changedLimits, explainFlag, hitsOf } from './flag-tables.ts';
import { type LoggedSession, loggedSessions, sessionsById } from './flags.ts';
import { ruleName } from './simulation.ts';

const table = 'rbm/rbm';

export const sessionSimulator: ResultSimulator = {
  compares: 'results',
  rank: 10,
  layers: ['RBM'],
  simulates: (document) => document === table,
  prepare: (rules) => ({
    scales: { RBM: rules.after.table(table).document.outcomes.order },
    tables: [table],
    notSimulated: changedLimits(rules, table),
    read: async (trx, _services, { organizationId, years: students, asOf }) => {
      const sessions = await loggedSessions(trx, { organizationId, students, asOf });
      return {
        compareStored: (tally) => sessions.filter((one) => compare(tally, rules, one)).map((one) => one.studentId),
      };
    },
    explain: async ({ reading, organizationId }, slots) => {
      const ids = slots.map(({ ref }) => Number(ref));
      const sessions = await reading((trx) => sessionsById(trx, organizationId, ids));
      const factsOf = new Map(sessions.map(({ id, facts }) => [String(id), facts]));
      return (slot) => {
        const facts = factsOf.get(slot.ref);
        return facts && explainFlag(rules, slot, table, `rbm:${slot.ref}`, facts);
      };
    },
  }),
};

/** Compares a session's flags. A session whose logged facts do not fit a table is skipped. */
function compare(tally: SimulationTally, { before, after }: SimulatedBundles, session: LoggedSession): boolean {
  const { id, studentId, sessionId, facts } = session;
  const [now, then] = [hitsOf(before.table(table), facts), hitsOf(after.table(table), facts)];
  if (!now || !then) return false;
  for (const { ruleId } of now) tally.addHits('before', ruleName(table, ruleId));
  for (const { ruleId } of then) tally.addHits('after', ruleName(table, ruleId));
  const outcomesOf = (hits: typeof now) => hits.map(({ outcome }) => outcome);
  const pairs = flagPairs(sessionId, outcomesOf(now), outcomesOf(then));
  return tally.addPairs('RBM', { studentId, ref: String(id) }, pairs);
}
