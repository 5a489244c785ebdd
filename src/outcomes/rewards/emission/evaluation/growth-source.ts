// The interface of sources of growth, and their context.

import type { Trx } from '#core/platform/db.ts';
import type { Catalogue } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { PossibleGrowth } from '../../ledger/record.ts';
import type { Candidate } from '../candidates.ts';

export interface EvaluationContext {
  readonly organizationId: string;
  readonly catalogue: Catalogue;
  /** Rules in force now. */
  readonly bundle: RuleBundle;
  /** ISO 8601: a replay uses only runs stored by then. */
  readonly until?: string;
}

/** The part of a candidate that a source evaluates. */
export type Fact = Pick<Candidate, 'studentId' | 'payload' | 'happenedAt'>;

/**
 * Finds the growth of each fact, in the order of events, whether or not it was recorded before. All facts are read
 * together.
 */
export type GrowthSource = (trx: Trx, context: EvaluationContext, facts: readonly Fact[]) => Promise<GrowthOf>;

/** Returns the growth of one of the given facts. */
export type GrowthOf = (fact: Fact) => readonly PossibleGrowth[];

/** For growth of no sub-skill and no domain. */
export const withoutCode = { subSkillCode: null, domainCode: null } as const;
