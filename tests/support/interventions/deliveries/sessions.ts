// Records delivered sessions on a test file's own database, and reads their effects.
import type { Test } from 'uvu';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { recordDeliveries } from '#support/interventions/deliveries/record.ts';
import type { PresentStudent } from '#support/interventions/deliveries/session.ts';
import { type Json, type Plans, type Pupil, usePlans } from '../workflow/draft-bodies.ts';

export interface SessionKey {
  readonly bundle_id?: string;
  readonly deliveredOn?: string;
  readonly source?: { readonly type: 'live' | 'blueprint'; readonly id: string };
  readonly responses?: PresentStudent['responses'];
}

export interface Sessions {
  readonly plans: Plans;
  /** BND-DECODE-01 on the clock's date, without answers, as a session of its own. Returns the recorded deliveries. */
  deliver(present: Pupil | readonly Pupil[], reported?: SessionKey): ReturnType<typeof recordDeliveries>;
  /** Events of the student's assignments, oldest first: the topic and its distinguishing fields. */
  told(pupil: Pupil): Promise<string[]>;
  /** Rows of deliveries, oldest first. */
  ledger(pupil: Pupil): Promise<Json[]>;
  /** At 11:00 in Riyadh. */
  at(date: string): void;
}

export const atNoon = (date: string): string => `${date}T08:00:00.000Z`;

/** This number of correct and wrong answers, each to an item of its own. */
export const answered = (right: number, wrong: number, subSkillCode = 'DEC_WORD', name = 'i') =>
  Array.from({ length: right + wrong }, (_, at) => ({
    ...{ itemId: `${subSkillCode}-${name}${at}`, subSkillCode },
    correct: at < right,
  }));

export function useSessions<Context>(test: Test<Context>): Sessions {
  const plans = usePlans(test);
  const { app, services } = plans.shell;
  const { owner } = app.database;
  return {
    plans,
    deliver(present, { bundle_id = 'BND-DECODE-01', deliveredOn, source, responses = [] } = {}) {
      const pupils = [present].flat();
      const { organizationId = '' } = pupils[0] ?? {};
      const now = app.clock.now();
      const session = {
        ...{ organizationId, bundle_id, now },
        deliveredOn: deliveredOn ?? now.toISOString().slice(0, 10),
        source: source ?? { type: 'live', id: newId() },
        present: pupils.map(({ id: studentId }) => ({ studentId, responses })),
      };
      return inContext(services.db, { organizationId }, (trx) => recordDeliveries(trx, services, session));
    },
    async told({ organizationId, id }) {
      const rows: { topic: string; payload: Json }[] = await inContext(owner, 'SUPER', (trx) =>
        trx('outbox')
          .where({ organizationId })
          .whereRaw("payload ->> 'studentId' = ? and topic ~ '^(assignment|bundle|plan)[.]'", [String(id)])
          .orderBy('id')
          .select('topic', 'payload'),
      );
      return rows.map(({ topic, payload }) => [topic, ...wordsOf(payload)].join(' '));
    },
    ledger: ({ organizationId, id }) =>
      inContext(owner, { organizationId }, (trx) =>
        trx('bundle_delivery').where({ organizationId, studentId: id }).orderBy('id'),
      ),
    at: (date) => app.clock.set(atNoon(date)),
  };
}

const wordsOf = ({ stepNo, from, to, suggestionCode, state, completionResult }: Json): unknown[] =>
  [stepNo, from, to, suggestionCode, state, completionResult].filter((word) => word !== undefined);
