// Which training answers are valid occurrences of an error pattern, and which of them belong together.

import type { Catalogue } from '#rules/catalogue/engine/index.ts';
import type { Item } from '../../content/engine/index.ts';
import type { TrainingAnswer } from '../../measurement/engine/index.ts';
import { type Families, isDesignedFor, patternKeyOf } from './pattern-key.ts';

/** A wrong first answer, given with effort to an item in use, by an option that reveals a pattern. */
export interface Occurrence {
  readonly patternKey: string;
  readonly sessionId: string;
  /** ISO 8601 instant of the session's start. */
  readonly startedAt: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly stemGroup: string;
  /** The item lists the pattern among those it is built to detect. */
  readonly designed: boolean;
  /** ISO 8601 instant. */
  readonly at: string;
}

/** An answer with its item as the session had it. */
export interface JudgedAnswer {
  readonly answer: TrainingAnswer;
  readonly item: Item;
  /** Not withdrawn as of today. */
  readonly active: boolean;
  /** Too fast for effort. */
  readonly rapid: boolean;
}

export const occurrencesOf = (answers: readonly JudgedAnswer[], families: Families): Occurrence[] =>
  answers.flatMap((judged) => {
    const { answer, item, active, rapid } = judged;
    if (answer.correct || answer.attempt === 'repeat' || rapid || !active) return [];
    const chosen = item.options.find(({ index }) => index === answer.selectedOptionIndex);
    const patternKey = chosen ? patternKeyOf(chosen) : null;
    return patternKey === null ? [] : [occurrence(judged, patternKey, families)];
  });

const occurrence = ({ answer, item }: JudgedAnswer, patternKey: string, families: Families): Occurrence => ({
  patternKey,
  sessionId: answer.sessionId,
  startedAt: answer.startedAt,
  itemId: item.id,
  subSkillCode: item.subSkillCode,
  stemGroup: item.stemGroup,
  designed: isDesignedFor(item, patternKey, families),
  at: answer.receivedAt,
});

/**
 * All five: the same sub-skill or one a direct prerequisite of the other; the same pattern, which both chosen options
 * carry; independent items (another id and another stem); both built to detect the pattern. Both are valid already.
 */
export const areLinked = (one: Occurrence, other: Occurrence, catalogue: Catalogue): boolean =>
  one.patternKey === other.patternKey &&
  one.itemId !== other.itemId &&
  one.stemGroup !== other.stemGroup &&
  one.designed &&
  other.designed &&
  areNeighbours(one.subSkillCode, other.subSkillCode, catalogue);

function areNeighbours(one: string, other: string, { byCode }: Catalogue): boolean {
  const buildsOn = (code: string, earlier: string) => byCode.get(code)?.prerequisites.includes(earlier) ?? false;
  return one === other || buildsOn(one, other) || buildsOn(other, one);
}

/** The most occurrences of any one session that are linked to another one of it: 0, or 2 and more. */
export function linkedInOneSession(occurrences: readonly Occurrence[], catalogue: Catalogue): number {
  const sessions = new Set(occurrences.map(({ sessionId }) => sessionId));
  const counts = [...sessions].map((sessionId) => {
    const own = occurrences.filter((one) => one.sessionId === sessionId);
    return own.filter((one) => own.some((other) => areLinked(one, other, catalogue))).length;
  });
  return Math.max(0, ...counts);
}
