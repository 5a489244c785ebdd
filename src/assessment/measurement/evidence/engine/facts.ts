// Derives the facts of rules from served sessions.

import type { Catalogue } from '#rules/catalogue/engine/index.ts';
import type { Behaviour, BehaviourLayer } from './behaviour.ts';
import { type ErrorClass, EvidenceError, type EvidenceResponse, type EvidenceSession } from './evidence.ts';
import { type Choice, isSlow, type ServedResponse, type ServedSession } from './served.ts';
import type { OrfVerdict, Thresholds } from './thresholds.ts';

export interface FactRules {
  readonly catalogue: Catalogue;
  readonly thresholds: Thresholds;
  readonly behaviourOf: BehaviourLayer;
}

export interface SessionEvidence {
  readonly session: EvidenceSession;
  /** In serving order. */
  readonly responses: readonly EvidenceResponse[];
}

/**
 * Returns the facts of a diagnostic or practice session including its behaviour. Throws EvidenceError on an unknown
 * sub-skill.
 */
export function sessionEvidence(
  served: ServedSession,
  rules: FactRules,
): SessionEvidence & { readonly behaviour: Behaviour } {
  const behaviour = rules.behaviourOf(served);
  return { ...markedEvidence(served, rules, (at) => behaviour.marks[at] ?? false), behaviour };
}

/** Returns the facts of a session with known behaviour marks; `isMarked` takes the index of a response, from 0. */
export function markedEvidence(
  { sessionId, source, endedAt, finished, responses: served }: ServedSession,
  { catalogue, thresholds }: Pick<FactRules, 'catalogue' | 'thresholds'>,
  isMarked: (index: number) => boolean,
): SessionEvidence {
  const answeredItems = new Set<string>();
  const responses = served.map((response, at): EvidenceResponse => {
    const attempt = answeredItems.has(response.itemId) ? 'repeat' : 'first';
    if (response.choice) answeredItems.add(response.itemId);
    return {
      sessionId,
      itemId: response.itemId,
      subSkillCode: response.subSkillCode,
      analysable: !response.withdrawn,
      answered: response.choice !== null,
      attempt,
      correct: response.choice?.correct ?? false,
      support: response.hintServed ? 'auto_support' : 'none',
      speed: isSlow(response, thresholds.slowFactor) ? 'slow' : 'normal',
      errorClass: errorClassOf(response, catalogue),
      microPattern: detectedPattern(response),
      behaviourMark: isMarked(at),
    };
  });
  const session = { sessionId, source, endedAt, analysable: source === 'practice' || finished };
  return { session, responses };
}

/** Returns the pattern of the choice, if the item is designed to detect it. */
function detectedPattern({ choice, designedPatterns }: ServedResponse): string | null {
  const pattern = wrongPattern(choice);
  return pattern !== null && designedPatterns.includes(pattern) ? pattern : null;
}

const wrongPattern = (choice: Choice | null): string | null => (!choice || choice.correct ? null : choice.microPattern);

/** Classifies a wrong choice: an earlier skill, a mark, the error that the item is designed for, or none. */
export function errorClassOf(
  { choice, subSkillCode, designedPatterns }: Pick<ServedResponse, 'choice' | 'subSkillCode' | 'designedPatterns'>,
  catalogue: Catalogue,
): ErrorClass {
  const subSkill = catalogue.byCode.get(subSkillCode);
  if (!subSkill) throw new EvidenceError(`unknown sub-skill ${subSkillCode}`);
  const pattern = wrongPattern(choice);
  if (pattern === null) return 'none';
  const target = catalogue.patternTarget.get(pattern);
  if (target && subSkill.transitivePrerequisites.has(target.code)) return 'prerequisite';
  if (target?.accuracyIndicator && !subSkill.accuracyIndicator) return 'accuracy_mark';
  return designedPatterns.includes(pattern) ? 'target' : 'none';
}

export interface OrfAssessment {
  readonly assessmentId: string;
  /** ISO 8601 instant. */
  readonly endedAt: string;
  readonly verdict: OrfVerdict | 'not_assessed';
}

/** Returns a scored oral reading as units of text fluency, right ones first; none without a verdict. */
export function orfEvidence(
  { assessmentId, endedAt, verdict }: OrfAssessment,
  { catalogue, thresholds }: Pick<FactRules, 'catalogue' | 'thresholds'>,
): SessionEvidence {
  const session: EvidenceSession = { sessionId: assessmentId, source: 'orf', endedAt, analysable: true };
  const measured = catalogue.subSkills.find(({ measuredByOrf }) => measuredByOrf);
  if (verdict === 'not_assessed' || !measured) return { session, responses: [] };
  const right = thresholds.orfUnits - thresholds.orfWrongUnits[verdict];
  const responses = Array.from({ length: thresholds.orfUnits }, (_, at): EvidenceResponse => {
    const itemId = `${assessmentId}#${at + 1}`;
    return { ...orfUnit, sessionId: assessmentId, itemId, subSkillCode: measured.code, correct: at < right };
  });
  return { session, responses };
}

const orfUnit = {
  analysable: true,
  answered: true,
  attempt: 'first',
  support: 'none',
  speed: 'normal',
  errorClass: 'none',
  microPattern: null,
  behaviourMark: false,
} as const;
