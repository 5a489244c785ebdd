// Writes the behaviour log of a session, in the transaction that ends it.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import type { ActiveRules, Facts } from '#rules/rulesets/index.ts';
import { ruleStamp } from '#rules/rulesets/index.ts';
import type { CompletedSession } from '../services.ts';
import { behaviourLayer } from './behaviour.ts';
import type { AnswerSource } from './transcript.ts';

interface BehaviourLogRow {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly studentId: number;
  readonly source: AnswerSource;
  readonly sessionId: string;
  readonly at: string;
  /** Rule ids, in the order of the table. */
  readonly flags: readonly string[];
  readonly facts: Facts;
  /** Numbers of the responses, from 1. */
  readonly markedSeqs: number[];
  readonly ruleVersion: string;
}

export const BehaviourLog = modelOf<BehaviourLogRow>('rbm_log', {
  id: ['organizationId', 'id', 'schoolYear'],
  json: ['facts'],
});

/** Returns the writer of the log: one row per session. `markedSeqs` are the responses (from 1) with doubtful effort. */
export function behaviourLog(rules: ActiveRules) {
  return async (
    trx: Trx,
    { organizationId, studentId, schoolYear, session }: CompletedSession,
    now: Date,
  ): Promise<void> => {
    const { rules: bundle } = await rules.at(trx, now);
    const { facts, flags, marks } = behaviourLayer(bundle)(session);
    await BehaviourLog.query(trx).insert({
      organizationId,
      studentId,
      schoolYear,
      source: session.source,
      sessionId: session.sessionId,
      at: session.endedAt,
      flags,
      facts: { ...facts },
      markedSeqs: marks.flatMap((marked, index) => (marked ? [index + 1] : [])),
      ruleVersion: ruleStamp(bundle.versions, 'rbm'),
    });
  };
}
