// Students in a short notation: per sub-skill, sessions such as `d10 CCTT`, one letter for each item.

import type {
  EvaluationInput,
  EvidenceResponse,
  EvidenceSession,
  EvidenceSource,
  ResponseFacts,
} from '#assessment/measurement/evidence/engine/evidence.ts';
import { evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import type { EvaluatedSubSkill, SubSkillEvaluation } from '#assessment/skill-status/engine/skills/status.ts';
import { pipeline } from './rules.ts';

export const right: ResponseFacts = {
  analysable: true,
  answered: true,
  attempt: 'first',
  correct: true,
  support: 'none',
  speed: 'normal',
  errorClass: 'none',
  microPattern: null,
  behaviourMark: false,
};
export const wrong: ResponseFacts = { ...right, correct: false };

/** The letters of the golden cases; M is a wrong answer with a behaviour mark, R a repeat of the item before. */
const letters: Readonly<Record<string, ResponseFacts>> = {
  C: right,
  L: { ...right, speed: 'slow' },
  P: { ...right, support: 'auto_support' },
  R: { ...right, attempt: 'repeat' },
  U: wrong,
  E: { ...wrong, speed: 'slow' },
  X: { ...wrong, support: 'auto_support' },
  T: { ...wrong, errorClass: 'target', microPattern: 'm1' },
  S: { ...wrong, errorClass: 'target', microPattern: 'm2' },
  Q: { ...wrong, errorClass: 'prerequisite' },
  A: { ...wrong, errorClass: 'accuracy_mark' },
  M: { ...wrong, behaviourMark: true },
  N: { ...wrong, answered: false },
  V: { ...right, analysable: false },
};

const sources: Readonly<Record<string, EvidenceSource>> = { d: 'diagnostic', p: 'practice', o: 'orf' };

export interface Student {
  readonly grade?: number;
  readonly contextReviewActive?: boolean;
  /** Sub-skill → sessions: source letter, day of January 2026, a blank, one letter per item. */
  readonly evidence: Readonly<Record<string, string>>;
}

export function input({ grade = 2, contextReviewActive = false, evidence }: Student): EvaluationInput {
  const sessions = new Map<string, EvidenceSession>();
  const responses = Object.entries(evidence).flatMap(([code, text]) => readSessions(code, text, sessions));
  return { grade, contextReviewActive, asOf: '2026-02-01T08:00:00.000Z', sessions: [...sessions.values()], responses };
}

function readSessions(code: string, text: string, sessions: Map<string, EvidenceSession>): EvidenceResponse[] {
  let item = 0;
  const parts = text.split(' ');
  return parts.flatMap((sessionId, at) => {
    if (at % 2 === 1) return [];
    const endedAt = `2026-01-${sessionId.slice(1).padStart(2, '0')}T09:00:00.000Z`;
    sessions.set(sessionId, {
      sessionId,
      source: sources[sessionId[0] ?? ''] ?? 'diagnostic',
      endedAt,
      analysable: true,
    });
    return [...(parts[at + 1] ?? '')].map((letter) => {
      const facts = letters[letter];
      if (!facts) throw new Error(`no letter ${letter}`);
      if (letter !== 'R') item += 1;
      return { ...facts, sessionId, itemId: `${code}-${String(item).padStart(3, '0')}`, subSkillCode: code };
    });
  });
}

export const evaluate = (student: Student) => evaluateStudent(input(student), pipeline);

/** Returns the evaluation of one tried sub-skill; `change` can modify the input. */
export function subSkill(
  student: Student,
  code: string,
  change: (input: EvaluationInput) => EvaluationInput = (unchanged) => unchanged,
): EvaluatedSubSkill {
  const { subSkills } = evaluateStudent(change(input(student)), pipeline);
  const found = subSkills.find((one) => one.subSkill.code === code);
  if (!found || found.outcome === 'not_assessed') throw new Error(`${code} was not evaluated`);
  return found;
}

export const statusOf = (one: SubSkillEvaluation | undefined) => (one?.outcome === 'decided' ? one.status : null);

/** Returns the status of one sub-skill, null without one. */
export const skillStatus = (student: Student, code: string) => statusOf(subSkill(student, code));

export function domain(student: Student, code: string) {
  const found = evaluate(student).domains.find((one) => one.domain.code === code);
  if (!found) throw new Error(`no domain ${code}`);
  return found;
}
