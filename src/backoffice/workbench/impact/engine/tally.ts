// The transition matrix of a layer: counts of outcomes before and after, to which any number of steps add.
import type { LayerAnswer } from '#assessment/skill-status/engine/index.ts';
import type { OutcomePair } from '#rules/rulesets/engine/index.ts';
import { exemplarsOfTransition, notAsked } from './vocabulary.ts';

/** The student that a transition shows as an exemplar. */
export interface ExemplarRef {
  readonly organizationId: string;
  readonly studentId: number;
  /** The id of the run, or of the stored row, that was evaluated. */
  readonly ref: string;
  readonly subject: string;
}

export interface PairCount {
  count: number;
  readonly exemplars: ExemplarRef[];
}

/** Outcome before → outcome after → count. It is plain JSON, since a job stores it after each step. */
export type LayerTally = Record<string, Record<string, PairCount>>;

/** Pairs a subject that only one side has with `not_asked`. Subjects keep their order; those that only `after` has come last. */
export function pairsOf(before: readonly LayerAnswer[], after: readonly LayerAnswer[]): OutcomePair[] {
  const later = new Map(after.map(({ subject, outcome }) => [subject, outcome]));
  const earlier = new Set(before.map(({ subject }) => subject));
  return [
    ...before.map(({ subject, outcome }) => ({ subject, from: outcome, to: later.get(subject) ?? notAsked })),
    ...after
      .filter(({ subject }) => !earlier.has(subject))
      .map(({ subject, outcome }) => ({ subject, from: notAsked, to: outcome })),
  ];
}

const haveSameSubjects = (before: readonly LayerAnswer[], after: readonly LayerAnswer[]): boolean =>
  before.length === after.length && before.every(({ subject }, at) => subject === after[at]?.subject);

/**
 * Adds one student's pairs and returns whether any of them changes. Students come in the order of their ids, and the first
 * ones are the exemplars, each once for a transition, with their first subject.
 */
export function addPairs(tally: LayerTally, who: Omit<ExemplarRef, 'subject'>, pairs: readonly OutcomePair[]): boolean {
  let isChanged = false;
  for (const { subject, from, to } of pairs) if (addPair(tally, who, subject, from, to)) isChanged = true;
  return isChanged;
}

/** As `addPairs`, of two lists of answers. Mostly both sides have the same subjects, and no pairs have to be created. */
export function addAnswers(
  tally: LayerTally,
  who: Omit<ExemplarRef, 'subject'>,
  before: readonly LayerAnswer[],
  after: readonly LayerAnswer[],
): boolean {
  if (!haveSameSubjects(before, after)) return addPairs(tally, who, pairsOf(before, after));
  let isChanged = false;
  for (let at = 0; at < before.length; at++) {
    const [old, young] = [before[at] as LayerAnswer, after[at] as LayerAnswer];
    if (addPair(tally, who, old.subject, old.outcome, young.outcome)) isChanged = true;
  }
  return isChanged;
}

function addPair(
  tally: LayerTally,
  who: Omit<ExemplarRef, 'subject'>,
  subject: string,
  from: string,
  to: string,
): boolean {
  const pair = countOf(tally, from, to);
  pair.count += 1;
  if (from === to) return false;
  const { exemplars } = pair;
  if (exemplars.length < exemplarsOfTransition && exemplars.at(-1)?.studentId !== who.studentId) {
    exemplars.push({ ...who, subject });
  }
  return true;
}

/** Adds the counts of students who come after those of `tally`. */
export function addTally(tally: LayerTally, later: LayerTally): void {
  for (const [from, counts] of Object.entries(later)) {
    for (const [to, { count, exemplars }] of Object.entries(counts)) {
      const pair = countOf(tally, from, to);
      pair.count += count;
      pair.exemplars.push(...exemplars.slice(0, exemplarsOfTransition - pair.exemplars.length));
    }
  }
}

function countOf(tally: LayerTally, from: string, to: string): PairCount {
  const known = tally[from]?.[to];
  if (known) return known;
  const fresh: PairCount = { count: 0, exemplars: [] };
  tally[from] = { ...tally[from], [to]: fresh };
  return fresh;
}

/** Every transition that was counted. */
export const transitionsOf = (tally: LayerTally) =>
  Object.entries(tally).flatMap(([from, counts]) =>
    Object.entries(counts).map(([to, count]) => ({ from, to, ...count })),
  );
