// The port through which evidence comes to the engine. Every source of evidence is one reader, which its capability lists; the
// engine's shell knows nothing of their tables.

import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ItemBanks } from '../../content/index.ts';
import type { FactRules, SessionEvidence } from './engine/facts.ts';
import type { StudentWindow } from './windows.ts';

export interface EvidenceRequest {
  readonly organizationId: string;
  /** The windows; a student may have several. */
  readonly students: readonly StudentWindow[];
  readonly itemBanks: ItemBanks;
  /** Of the responses themselves, not of what finished sessions keep of them: for whoever holds one against the other. */
  readonly fromResponses?: boolean;
}

/** One session of a student as facts. */
export interface StudentSession extends SessionEvidence {
  /** Sub-skills of the session some of whose items are calibrated on too few answers. */
  readonly provisionalSubSkills: readonly string[];
}

/**
 * The sessions of one of the windows as these rules see them. Asks the database nothing. Throws EvidenceError where they do
 * not hang together, ENGINE_UNAVAILABLE without the items that they were made with.
 */
export type SessionsOf = (window: StudentWindow, rules: FactRules) => StudentSession[];

/** Reads the sessions of many windows at once, those that ended in each; facts are made later. */
export type EvidenceReader = (trx: Trx, request: EvidenceRequest) => Promise<SessionsOf>;

/**
 * Which of the students are, at their window's end, in a situation that asks for review before a label. The rules say which
 * situations do.
 */
export type ContextReviewReader = (
  trx: Trx,
  request: Omit<EvidenceRequest, 'itemBanks'>,
  rules: RuleBundle,
) => Promise<ReadonlySet<number>>;
