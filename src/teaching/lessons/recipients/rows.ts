// A recipient as it is kept: what the rules said, and what a person has lifted.
import type { SessionRow } from '../rows/store.ts';
import type { Decided } from './decide.ts';

/** `overrideCode`: with which a person includes whom the rules leave out. */
export const recipientRow = (
  { organizationId, id: sessionId }: Pick<SessionRow, 'organizationId' | 'id'>,
  studentId: number,
  { outcome, ruleId, ruleVersion, facts, reasonCode }: Decided,
  now: Date,
  overrideCode: string | null = null,
) => ({
  ...{ organizationId, sessionId, studentId, ruleId, ruleVersion, facts, reasonCode, overrideCode },
  state: outcome === 'included' || overrideCode !== null ? ('included' as const) : ('excluded' as const),
  ...{ present: null, decidedAt: now.toISOString() },
});
