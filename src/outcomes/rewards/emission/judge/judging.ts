// What everyone who judges facts is given, and gives back.

import type { Trx } from '#core/platform/db.ts';
import type { Catalogue } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { Growth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';

export interface Judging {
  readonly organizationId: string;
  readonly catalogue: Catalogue;
  /** In force now. */
  readonly bundle: RuleBundle;
  /** ISO 8601: what is judged again is judged by the runs that were stored by then. */
  readonly until?: string;
}

/** What an event has told of a student. */
export type Fact = Pick<Candidate, 'studentId' | 'payload' | 'happenedAt'>;

/**
 * Growth that each fact tells of, in the order in which it is told; whether it was told before is not asked here. What has to
 * be read is read for all facts together.
 */
export type Judge = (trx: Trx, judging: Judging, facts: readonly Fact[]) => Promise<GrowthOf>;

/** Of a fact that was asked for. */
export type GrowthOf = (fact: Fact) => readonly Growth[];

/** Of growth that is about no sub-skill and no domain. */
export const withoutCode = { subSkillCode: null, domainCode: null } as const;
