// What everyone who judges a fact is given, and gives back.
import type { Catalogue } from '../../../catalogue/index.ts';
import type { Trx } from '../../../platform/db.ts';
import type { RuleBundle } from '../../../rulesets/index.ts';
import type { LedgerOf } from '../../ledger/known.ts';
import type { Growth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';

export interface Judging extends LedgerOf {
  readonly catalogue: Catalogue;
  /** In force now. */
  readonly bundle: RuleBundle;
  /** ISO 8601: what is judged again is judged by the runs that were stored by then. */
  readonly until?: string;
}

/** Growth that a fact tells of, in the order in which it is told; whether it was told before is not asked here. */
export type Judge = (trx: Trx, judging: Judging, candidate: Candidate) => Promise<readonly Growth[]>;

/** Of growth that is about no sub-skill and no domain. */
export const withoutCode = { subSkillCode: null, domainCode: null } as const;
