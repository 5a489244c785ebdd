// The simulator of the small capability: a student's size is the number of their sessions.
import Type from 'typebox';
import type { StudentSession } from '#assessment/measurement/index.ts';
import { nullable, object } from '#core/http/schemas.ts';
import { decide, type ResultSimulator, type RuleBundle } from '#rules/rulesets/index.ts';

const table = 'small/table';

export const sizeSimulator = (sessions: ReadonlyMap<number, readonly StudentSession[]>): ResultSimulator => ({
  compares: 'results',
  rank: 1_000,
  layers: ['SMALL'],
  simulates: (document) => document === table,
  section: { name: 'small', schema: Type.Optional(nullable(object({ large: Type.Integer() }))) },
  prepare: ({ before, after }) => {
    const factsOf = (studentId: number) => ({ size: (sessions.get(studentId) ?? []).length, isOld: false });
    const sizeUnder = (bundle: RuleBundle, studentId: number) => {
      const facts = factsOf(studentId);
      return { ...decide(bundle.table(table), facts), facts };
    };
    return {
      scales: { SMALL: after.table(table).document.outcomes.order },
      tables: [table],
      read: async () => ({
        compareResult: (tally, { studentId, runId }) => {
          const [now, then] = [sizeUnder(before, studentId), sizeUnder(after, studentId)];
          tally.addHits('before', `${table} ${now.ruleId}`);
          tally.addHits('after', `${table} ${then.ruleId}`);
          const pair = { subject: String(studentId), from: now.outcome, to: then.outcome };
          return tally.addPairs('SMALL', { studentId, ref: runId }, [pair]);
        },
      }),
      explain:
        async () =>
        ({ studentId, ref }) => ({
          ...{ stampId: `run:${ref}`, table },
          ...{ before: sizeUnder(before, studentId), after: sizeUnder(after, studentId) },
        }),
      sectionOf: ({ hitsOf }) => ({ large: hitsOf(`${table} SML-01`).after }),
    };
  },
});
