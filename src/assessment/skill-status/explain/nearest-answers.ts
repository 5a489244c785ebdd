// Finds the smallest new measurement that gives another status: changed answers, or one more right item, evaluated
// through all layers with the run's own rules.

import { setImmediate } from 'node:timers/promises';
import { requireNoTransaction } from '#core/platform/transactions/outside.ts';
import type { NearestChangeView } from '#rules/rulesets/index.ts';
import type { EvaluationInput, EvidenceResponse } from '../../measurement/index.ts';
import { evaluateStudent, type Pipeline, type StudentEvaluation } from '../engine/evaluate.ts';
import { orderedStatuses } from '../engine/vocabulary.ts';
import type { RunTrace } from './run-trace.ts';
import type { AnswerFlipView, ExplainedResult } from './schemas.ts';

/** Maximum number of changed answers. */
const mostAnswers = 3;
/** Maximum number of evaluations per search, which runs within a request. */
const mostEvaluations = 2_000;
/** The number of evaluations after which other requests have their turn. */
const evaluationsPerTurn = 10;

interface ChangeText {
  readonly changes: NearestChangeView['changes'];
  readonly words: string;
}

export interface AnswerSearch {
  /** Null when neither up to three changed answers nor one more right item gives another status. */
  readonly nearest: NearestChangeView | null;
  readonly answerFlip: ExplainedResult['answerFlip'];
}

/**
 * Searches the fewest answers of the sub-skill that, the other way about, give another status. Evaluates the whole
 * student each time, with the run's own rules, at most 2,000 times, and yields to other requests meanwhile.
 */
export async function searchAnswers(trace: RunTrace, code: string): Promise<AnswerSearch> {
  requireNoTransaction('searching answers that give another status');
  const { pipeline, sentences } = trace;
  const { grade, asOf, contextReview, input } = trace.run;
  const given: EvaluationInput = { ...input, grade, asOf, contextReviewActive: contextReview };
  const stored = answerOf(trace.evaluation, code);
  const place = placeOf(stored);
  const found: { nearest: NearestChangeView | null } & Flips = { nearest: null, better: null, worse: null };
  let evaluations = 0;
  for (const { responses, refs, ...candidate } of candidates(given, trace, code)) {
    if (evaluations === mostEvaluations || (found.nearest && (place < 0 || (found.better && found.worse)))) break;
    evaluations += 1;
    if (evaluations % evaluationsPerTurn === 0) await setImmediate();
    const answer = answerOf(evaluateStudent({ ...given, responses }, pipeline), code);
    if (answer === undefined || answer.outcome === stored?.outcome) continue;
    if (candidate.changes.every(({ fact }) => sentences.isAboutChild(fact))) {
      found.nearest ??= viewOf(candidate, answer, code, pipeline);
    }
    addFlip(found, place, answer, refs);
  }
  const { nearest, better, worse } = found;
  return { nearest, answerFlip: { better, worse } };
}

/** Of results that no few answers decide. */
export const noFlip: ExplainedResult['answerFlip'] = { better: null, worse: null };

interface Flips {
  better: AnswerFlipView | null;
  worse: AnswerFlipView | null;
}

/** Adds the first flip of each direction, which has the fewest answers. A status without an order has no direction. */
function addFlip(found: Flips, place: number, answer: Answer, responseRefs: readonly string[]): void {
  const status = orderedStatuses[placeOf(answer)];
  if (place < 0 || status === undefined || responseRefs.length === 0) return;
  const flip = { answers: responseRefs.length, responseRefs, status };
  if (placeOf(answer) > place) found.better ??= flip;
  else found.worse ??= flip;
}

/** Returns the place of a status from worst to best; −1 without a status or for one without an order. */
const placeOf = (answer: Answer | undefined): number =>
  orderedStatuses.findIndex((status) => status === answer?.outcome);

interface Candidate extends ChangeText {
  readonly responses: readonly EvidenceResponse[];
  /** `sessionId/itemId` of the changed answers; empty for an additional item. */
  readonly refs: readonly string[];
}

/** Yields candidates with the fewest changed answers first; an additional item comes after candidates of equal size. */
function* candidates(given: EvaluationInput, trace: RunTrace, code: string): Generator<Candidate> {
  const indexes = answersThatCount(trace, code);
  for (let size = 1; size <= mostAnswers; size += 1) {
    for (const chosen of differentChoices(given.responses, indexes, size)) yield turned(given.responses, chosen);
    if (size === 1) yield* oneMore(given, trace, code);
  }
}

/** Returns indexes in the input, wrong answers first, since the typical question is what would have been better. */
function answersThatCount({ evaluation }: RunTrace, code: string): number[] {
  const scored = evaluation.coded.flatMap(({ response, scored: counts }, index) =>
    counts && response.subSkillCode === code ? [{ index, correct: response.correct }] : [],
  );
  return scored
    .toSorted((one, other) => Number(one.correct) - Number(other.correct) || one.index - other.index)
    .map(({ index }) => index);
}

/**
 * Yields only different choices: answers of one session with equal facts are interchangeable, except those to an item
 * that was answered again, since error patterns count distinct items over sessions.
 */
function* differentChoices(
  responses: readonly EvidenceResponse[],
  indexes: readonly number[],
  size: number,
): Generator<readonly number[]> {
  const times = new Map<string | undefined, number>();
  for (const index of indexes) times.set(responses[index]?.itemId, (times.get(responses[index]?.itemId) ?? 0) + 1);
  const isAgain = (index: number) => (times.get(responses[index]?.itemId) ?? 0) > 1;
  const keys = new Map(indexes.map((index) => [index, factsKey(responses[index], isAgain(index))]));
  const alike = new Map<string | undefined, number>();
  const enough = indexes.filter((index) => {
    const before = alike.get(keys.get(index)) ?? 0;
    alike.set(keys.get(index), before + 1);
    return before < size;
  });
  const seen = new Set<string>();
  for (const chosen of choices(enough, size)) {
    const key = chosen
      .map((index) => keys.get(index))
      .sort()
      .join(';');
    if (!seen.has(key)) yield chosen;
    seen.add(key);
  }
}

function* choices(indexes: readonly number[], size: number): Generator<readonly number[]> {
  if (size === 0) yield [];
  else {
    for (const [at, index] of indexes.entries()) {
      for (const others of choices(indexes.slice(at + 1), size - 1)) yield [index, ...others];
    }
  }
}

function factsKey(response: EvidenceResponse | undefined, isAgain: boolean): string {
  const { itemId, ...facts } = response ?? { itemId: '' };
  return JSON.stringify(isAgain ? { itemId, ...facts } : facts);
}

function turned(responses: readonly EvidenceResponse[], chosen: readonly number[]): Candidate {
  const flipped = chosen.flatMap((index) => responses[index] ?? []);
  const right = flipped.filter(({ correct }) => !correct);
  const wrong = flipped.filter(({ correct }) => correct);
  return {
    responses: responses.map((one, index) =>
      chosen.includes(index) ? { ...one, correct: !one.correct, errorClass: 'none', microPattern: null } : one,
    ),
    changes: flipped.map(({ correct }) => ({ fact: 'correct', from: correct, to: !correct })),
    refs: flipped.map(refOf),
    words: [counted(right, 'right instead of wrong'), counted(wrong, 'wrong instead of right')]
      .filter((words) => words !== '')
      .join(' and '),
  };
}

const refOf = ({ sessionId, itemId }: EvidenceResponse): string => `${sessionId}/${itemId}`;

const numbers = ['no', 'one', 'two', 'three'];

function counted(answers: readonly EvidenceResponse[], words: string): string {
  if (answers.length === 0) return '';
  const refs = answers.map(refOf).join(', ');
  return `${numbers[answers.length]} answer${answers.length === 1 ? '' : 's'} ${words} (${refs})`;
}

/** Adds a right item to the newest session that counts. */
function* oneMore({ sessions, responses }: EvaluationInput, trace: RunTrace, code: string): Generator<Candidate> {
  const ofChild = sessions.filter(({ analysable, source }) => analysable && source !== 'orf');
  const newest = ofChild.toSorted((one, other) => (one.endedAt < other.endedAt ? 1 : -1))[0];
  const found = trace.evaluation.subSkills.find(({ subSkill }) => subSkill.code === code);
  if (!newest || !found || found.outcome === 'not_assessed') return;
  const from = new Set(
    trace.evaluation.coded
      .filter(({ scored, response }) => scored && response.subSkillCode === code)
      .map(({ response }) => response.itemId),
  ).size;
  yield {
    responses: [...responses, { ...rightAnswer, sessionId: newest.sessionId, subSkillCode: code }],
    refs: [],
    changes: [{ fact: 'distinctItems', from, to: from + 1 }],
    words: 'one more item right',
  };
}

const rightAnswer = {
  itemId: 'one-more-item',
  analysable: true,
  answered: true,
  attempt: 'first',
  correct: true,
  support: 'none',
  speed: 'normal',
  errorClass: 'none',
  microPattern: null,
  behaviourMark: false,
} as const;

interface Answer {
  readonly ruleId: string;
  /** The status, or the outcome without a decision. */
  readonly outcome: string;
}

/** Returns undefined when the sub-skill is not evaluated. */
function answerOf({ subSkills }: StudentEvaluation, code: string): Answer | undefined {
  const found = subSkills.find(({ subSkill }) => subSkill.code === code);
  if (!found || found.outcome === 'not_assessed') return undefined;
  return { ruleId: found.ssrRuleId, outcome: found.outcome === 'decided' ? found.status : found.outcome };
}

function viewOf({ changes, words }: ChangeText, { ruleId, outcome }: Answer, code: string, { ruleVersions }: Pipeline) {
  return {
    layer: 'SSR',
    subject: code,
    ruleVersion: `SSR@${ruleVersions['ssr/ssr']}`,
    changes,
    distance: changes.length,
    ruleId,
    outcome,
    text: `With ${words}, ${ruleId} would say ${outcome} of ${code}.`,
  };
}
