// The ledger of a sub-flag: the counted wrong answers, and the counts at which each level was reached.

import type { Trx } from '#core/platform/db.ts';
import { type SubFlagCounts, SubFlagEvent } from '../../../error-patterns/index.ts';
import type { CountedOccurrence } from './schemas.ts';

export interface SubFlagName {
  readonly studentId: number;
  readonly schoolYear: string;
  readonly patternKey: string;
}

type OwnedFlag = SubFlagName & { readonly organizationId: string };

const ownOf = ({ organizationId, studentId, schoolYear, patternKey }: OwnedFlag) => ({
  organizationId,
  studentId,
  schoolYear,
  patternKey,
});

interface OccurrenceRow extends Pick<CountedOccurrence, 'sessionId' | 'itemId' | 'at'> {
  readonly facts: Pick<CountedOccurrence, 'subSkillCode' | 'designed'>;
}

/** Returns the counted occurrences, oldest first. */
export async function flagOccurrences(trx: Trx, flag: OwnedFlag): Promise<CountedOccurrence[]> {
  const rows: OccurrenceRow[] = await SubFlagEvent.query(trx)
    .where({ ...ownOf(flag), kind: 'occurrence' })
    .orderBy('id')
    .select('sessionId', 'itemId', 'at', 'facts')
    .castTo<OccurrenceRow[]>();
  return rows.map(({ sessionId, itemId, at, facts: { subSkillCode, designed } }) => {
    return { sessionId, itemId, subSkillCode, at, designed };
  });
}

interface ReachedLevel {
  readonly facts: SubFlagCounts;
  readonly ruleVersion: string;
}

/** Returns the counts and the rules with which a level was reached; undefined when it was not. */
export const levelReached = async (trx: Trx, flag: OwnedFlag, level: number): Promise<ReachedLevel | undefined> =>
  SubFlagEvent.query(trx)
    .where({ ...ownOf(flag), kind: 'level_reached', level })
    .select('facts', 'ruleVersion')
    .first()
    .castTo<ReachedLevel | undefined>();
