// Determines which training answers are valid occurrences of an error pattern, and which occurrences are linked.

import type { Catalogue } from '#rules/catalogue/engine/index.ts';
import type { Item } from '../../content/engine/index.ts';
import type { TrainingAnswer } from '../../measurement/engine/index.ts';
import { type Families, isDesignedFor, patternKeyOf } from './pattern-key.ts';

/** A wrong first answer, not rapid, to an active item, with an option that reveals a pattern. */
export interface Occurrence {
  readonly patternKey: string;
  readonly sessionId: string;
  /** ISO 8601 instant of the session's start. */
  readonly startedAt: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly stemGroup: string;
  /** Whether the item is designed to detect the pattern. */
  readonly designed: boolean;
  /** ISO 8601 instant. */
  readonly at: string;
}

/** An answer with its item from the session's own bank. */
export interface ClassifiedAnswer {
  readonly answer: TrainingAnswer;
  readonly item: Item;
  /** Whether the item is not withdrawn today. */
  readonly active: boolean;
  /** Whether the answer was too fast. */
  readonly rapid: boolean;
}

export const occurrencesOf = (answers: readonly ClassifiedAnswer[], families: Families): Occurrence[] =>
  answers.flatMap((scored) => {
    const { answer, item, active, rapid } = scored;
    if (answer.correct || answer.attempt === 'repeat' || rapid || !active) return [];
    const chosen = item.options.find(({ index }) => index === answer.selectedOptionIndex);
    const patternKey = chosen ? patternKeyOf(chosen) : null;
    return patternKey === null ? [] : [occurrence(scored, patternKey, families)];
  });

const occurrence = ({ answer, item }: ClassifiedAnswer, patternKey: string, families: Families): Occurrence => ({
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
 * Two valid occurrences are linked when all hold: equal sub-skills, or one a direct prerequisite of the other; one
 * pattern, which both chosen options have; different items and stems; both items designed to detect the pattern.
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

/** Returns the maximum number of linked occurrences in one session: 0, or at least 2. */
export function linkedInOneSession(occurrences: readonly Occurrence[], catalogue: Catalogue): number {
  const sessions = new Set(occurrences.map(({ sessionId }) => sessionId));
  const counts = [...sessions].map((sessionId) => {
    const own = occurrences.filter((one) => one.sessionId === sessionId);
    return own.filter((one) => own.some((other) => areLinked(one, other, catalogue))).length;
  });
  return Math.max(0, ...counts);
}
