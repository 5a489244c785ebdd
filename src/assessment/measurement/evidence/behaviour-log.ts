// Writes down how a session was worked through, in the transaction that ends the session.

import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { ruleStamp } from '#rules/rulesets/index.ts';
import type { WorkedSession } from '../services.ts';
import { behaviourLayer } from './behaviour.ts';

/** One row a session. `markedSeqs` are the responses (counted from 1) whose effort is doubtful. */
export function behaviourLog(rules: ActiveRules) {
  return async (
    trx: Trx,
    { organizationId, studentId, schoolYear, session }: WorkedSession,
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
