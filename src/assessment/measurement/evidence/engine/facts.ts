// From what happened in a session to the facts that rules may read.

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

/** Facts of a diagnostic or practice session, with its behaviour. Throws EvidenceError on an unknown sub-skill. */
export function sessionEvidence(
  served: ServedSession,
  rules: FactRules,
): SessionEvidence & { readonly behaviour: Behaviour } {
  const behaviour = rules.behaviourOf(served);
  return { ...markedEvidence(served, rules, (at) => behaviour.marks[at] ?? false), behaviour };
}

/** The same of a session whose behaviour was looked at before: `isMarked` knows the places of responses, from 0. */
export function markedEvidence(
  { sessionId, source, endedAt, finished, responses: served }: ServedSession,
  { catalogue, thresholds }: Pick<FactRules, 'catalogue' | 'thresholds'>,
  isMarked: (place: number) => boolean,
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

/** Only a pattern that the item was built to detect is evidence of that pattern. */
function detectedPattern({ choice, designedPatterns }: ServedResponse): string | null {
  const pattern = wrongPattern(choice);
  return pattern !== null && designedPatterns.includes(pattern) ? pattern : null;
}

const wrongPattern = (choice: Choice | null): string | null => (!choice || choice.correct ? null : choice.microPattern);

/** Where a wrong choice points: an earlier skill, a mark, the error the item was built for, or nowhere. */
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

/** A scored oral reading as units of text fluency, right ones first; an assessment without a verdict holds none. */
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
