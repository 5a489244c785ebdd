// A recipient as stored: the decision of the rules and the override by a person.
import type { LessonRow } from '../rows/store.ts';
import type { RecipientDecision } from './decide.ts';

/** `overrideCode` is the reason with which a person overrides a soft exclusion. */
export const recipientRow = (
  { organizationId, id: sessionId }: Pick<LessonRow, 'organizationId' | 'id'>,
  studentId: number,
  { outcome, ruleId, ruleVersion, facts, reasonCode }: RecipientDecision,
  now: Date,
  overrideCode: string | null = null,
) => ({
  ...{ organizationId, sessionId, studentId, ruleId, ruleVersion, facts, reasonCode, overrideCode },
  state: outcome === 'included' || overrideCode !== null ? ('included' as const) : ('excluded' as const),
  ...{ present: null, decidedAt: now.toISOString() },
});
