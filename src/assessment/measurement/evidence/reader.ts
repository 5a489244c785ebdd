// The port through which the engine reads evidence. Each source is one reader, which its capability declares; the
// engine does not know their tables.

import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ItemBanks } from '../../content/index.ts';
import type { FactRules, SessionEvidence } from './engine/facts.ts';
import type { StudentWindow } from './windows.ts';

export interface EvidenceRequest {
  readonly organizationId: string;
  /** The requested windows; a student may have several. */
  readonly students: readonly StudentWindow[];
  readonly itemBanks: ItemBanks;
  /**
   * Whether to read the responses themselves instead of the answers that finished sessions store, for comparing the
   * two.
   */
  readonly fromResponses?: boolean;
}

/** One session of a student as facts. */
export interface StudentSession extends SessionEvidence {
  /** Sub-skills of the session with items that are calibrated on too few answers. */
  readonly provisionalSubSkills: readonly string[];
}

/**
 * Returns the sessions of one of the windows under these rules, without database access. Throws EvidenceError when they
 * are inconsistent, ENGINE_UNAVAILABLE without their item bank.
 */
export type SessionsOf = (window: StudentWindow, rules: FactRules) => StudentSession[];

/** Reads the sessions that ended in each of many windows; facts are derived later. */
export type EvidenceReader = (trx: Trx, request: EvidenceRequest) => Promise<SessionsOf>;

/**
 * Returns which of the students have, at their window's end, a context flag that requires review before a label,
 * according to the rules.
 */
export type ContextReviewReader = (
  trx: Trx,
  request: Omit<EvidenceRequest, 'itemBanks'>,
  rules: RuleBundle,
) => Promise<ReadonlySet<number>>;
