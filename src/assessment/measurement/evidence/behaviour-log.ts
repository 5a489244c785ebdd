// Writes the behaviour log of a session, in the transaction that ends it.

import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { ruleStamp } from '#rules/rulesets/index.ts';
import type { CompletedSession } from '../services.ts';
import { behaviourLayer } from './behaviour.ts';

/** Returns the writer of the log: one row per session. `markedSeqs` are the responses (from 1) with doubtful effort. */
export function behaviourLog(rules: ActiveRules) {
  return async (
    trx: Trx,
    { organizationId, studentId, schoolYear, session }: CompletedSession,
    now: Date,
  ): Promise<void> => {
    const { rules: bundle } = await rules.at(trx, now);
    const { facts, flags, marks } = behaviourLayer(bundle)(session);
    await trx('rbm_log').insert({
      organizationId,
      studentId,
      schoolYear,
      source: session.source,
      sessionId: session.sessionId,
      at: session.endedAt,
      flags,
      facts: JSON.stringify(facts),
      markedSeqs: marks.flatMap((marked, index) => (marked ? [index + 1] : [])),
      ruleVersion: ruleStamp(bundle.versions, 'rbm'),
    });
  };
}
