// Layers BND and PAC: the facts of one sub-skill, and whether they confirm a finding, are withheld or are insufficient.

import { ratio4 } from '#core/platform/pure/round.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { firstHit, type RuleAnswer } from '#rules/rulesets/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import type { CodedResponse, SubSkillEvidence } from '../evidence/gather.ts';
import { findPattern } from '../evidence/pattern.ts';
import { type Tally, tally } from '../evidence/tally.ts';
import {
  type ConflictState,
  type DecidedReason,
  type DeficitBand,
  decidedReasons,
  deficitBands,
  type HaltAction,
  type HaltReason,
  haltActions,
  haltReasons,
  type PacReason,
  type PatternState,
  pacDecisions,
} from '../vocabulary.ts';
import { compileConflict } from './conflict.ts';
import { bndFacts, type PacFacts, pacFacts } from './typed-facts.ts';

/** The facts of a sub-skill before any label; rates are rounded to 4 decimals. */
export interface SubSkillFacts {
  readonly distinctItems: number;
  readonly sessionCount: number;
  /** Null without items. */
  readonly rawRate: number | null;
  readonly deficitBand: DeficitBand | null;
  readonly conflictState: ConflictState;
  readonly patternState: PatternState;
  readonly supportDominant: boolean;
  readonly slowDominant: boolean;
  readonly prereqDominant: boolean;
  readonly behaviourCaution: boolean;
}

export interface DecidedAnswer {
  readonly pacRuleId: string;
  readonly pacDecision: 'confirm' | 'withhold';
  readonly pacReason: DecidedReason;
}
export interface HaltAnswer {
  readonly pacRuleId: string;
  readonly pacDecision: 'do_not_decide_yet';
  readonly pacReason: HaltReason;
  readonly action: HaltAction;
}
export type PacAnswer = DecidedAnswer | HaltAnswer;

export interface Confirmation {
  readonly evidence: SubSkillEvidence;
  readonly facts: SubSkillFacts;
  /** Unrounded. */
  readonly sums: Tally;
  readonly cisRuleId: string;
  readonly pac: PacAnswer;
  readonly leadingMicroPattern: string | null;
}

export type ConfirmationLayer = (evidence: SubSkillEvidence) => Confirmation;

export function compileConfirmation(bundle: RuleBundle, thresholds: Thresholds): ConfirmationLayer {
  const settleConflict = compileConflict(bundle, thresholds);
  const bandOf = firstHit(bundle.table('bnd/bnd'), bndFacts, (answer) => answer.word('outcome', deficitBands));
  const confirm = firstHit(bundle.table('pac/pac'), pacFacts, readPac);
  return (evidence) => {
    const sums = tally(evidence.units);
    const conflict = settleConflict(sums.sessions);
    const pattern = findPattern(evidence.units, thresholds);
    const rawRate = sums.distinctItems === 0 ? null : ratio4(sums.weightedDeficit, sums.weight);
    const deficitBand = rawRate === null ? null : bandOf({ rawRate, okSideWins: conflict.okSideWins });
    const shares = sharesOf(sums);
    const facts = {
      distinctItems: sums.distinctItems,
      sessionCount: sums.sessions.length,
      rawRate,
      deficitBand,
      conflictState: conflict.state,
      patternState: pattern.state,
      supportDominant: shares.support >= thresholds.supportShare,
      slowDominant: shares.slow >= thresholds.slowShare,
      prereqDominant: shares.prerequisite >= thresholds.prerequisiteShare,
      behaviourCaution: shares.behaviour >= thresholds.behaviourShare,
    };
    const pac = confirm(pacFactsOf(facts, shares));
    return { evidence, facts, sums, cisRuleId: conflict.ruleId, pac, leadingMicroPattern: pattern.leading };
  };
}

interface Shares {
  readonly support: number;
  readonly slow: number;
  readonly prerequisite: number;
  readonly behaviour: number;
}

/** The first two shares are of right units, the others of wrong units; a share of zero units is 0. */
const sharesOf = (sums: Tally): Shares => ({
  support: ratio4(sums.rightWithSupport, sums.right),
  slow: ratio4(sums.rightSlow, sums.right),
  prerequisite: ratio4(sums.wrongByPrerequisite, sums.wrong),
  behaviour: ratio4(sums.wrongMarked, sums.wrong),
});

const pacFactsOf = (facts: SubSkillFacts, shares: Shares): PacFacts => ({
  distinctItems: facts.distinctItems,
  conflictState: facts.conflictState,
  deficitBand: facts.deficitBand ?? 'unknown',
  patternState: facts.patternState,
  sessionCount: facts.sessionCount,
  supportShare: shares.support,
  slowShare: shares.slow,
  prereqShare: shares.prerequisite,
  behaviourShare: shares.behaviour,
});

function readPac(answer: RuleAnswer): PacAnswer {
  const pacRuleId = answer.ruleId;
  const pacDecision = answer.word('outcome', pacDecisions);
  if (pacDecision !== 'do_not_decide_yet') {
    return { pacRuleId, pacDecision, pacReason: answer.word('reason', decidedReasons) };
  }
  const action = answer.word('action', haltActions);
  return { pacRuleId, pacDecision, pacReason: answer.word('reason', haltReasons), action };
}

/** Returns `sessionId/itemId` of the newest unit by end of session, session id, item id; null without scored units. */
export function newestUnitRef({ units }: SubSkillEvidence): string | null {
  let newest = units[0];
  if (!newest) return null;
  for (const unit of units) if (isNewer(unit, newest)) newest = unit;
  return `${newest.session.sessionId}/${newest.response.itemId}`;
}

function isNewer(left: CodedResponse, right: CodedResponse): boolean {
  if (left.session === right.session) return left.response.itemId > right.response.itemId;
  if (left.session.endedAtMs !== right.session.endedAtMs) return left.session.endedAtMs > right.session.endedAtMs;
  return left.session.sessionId > right.session.sessionId;
}

const coreWeakReasons: readonly PacReason[] = ['WEAKNESS_PREREQUISITE', 'WEAKNESS_PATTERN', 'WEAKNESS_PLAIN'];

/**
 * Returns whether a confirmed weakness counts for other sub-skills; accuracy indicators and doubtful effort never do.
 */
export const isCoreWeak = ({ evidence, pac }: Confirmation): boolean =>
  !evidence.subSkill.accuracyIndicator && coreWeakReasons.includes(pac.pacReason);
