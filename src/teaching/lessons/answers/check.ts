// What is sent as answers, put to the items of the session: what is known already is a repeat and is looked at no further, and
// one answer that cannot be is none of them.
import { invalid } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { SessionResponse } from './store.ts';

export interface SentAnswer {
  readonly studentId: number;
  readonly clientResponseId: string;
  readonly itemRef: string;
  readonly selectedOptionIndex: number;
  readonly supportUsed?: boolean;
}

export interface AnswerRules {
  readonly items: readonly BlueprintItem[];
  readonly included: ReadonlySet<number>;
  /** Ids that came before. */
  readonly known: ReadonlySet<string>;
}

/** Throws VALIDATION_ERROR `not_included`, `unknown_item` or `out_of_range` for the first answer that cannot be. */
export function newAnswers(sent: readonly SentAnswer[], { items, included, known }: AnswerRules): SessionResponse[] {
  const byRef = new Map(items.map((item) => [item.itemRef, item]));
  return sent.flatMap((answer, at) => {
    if (known.has(answer.clientResponseId.toLowerCase())) return [];
    if (!included.has(answer.studentId)) throw invalid(`responses.${at}.studentId`, 'not_included');
    const item = byRef.get(answer.itemRef);
    if (!item) throw invalid(`responses.${at}.itemRef`, 'unknown_item');
    const isThere = answer.selectedOptionIndex < item.options.length;
    if (!isThere) throw invalid(`responses.${at}.selectedOptionIndex`, 'out_of_range');
    return [scored(answer, item)];
  });
}

const scored = (answer: SentAnswer, item: BlueprintItem): SessionResponse => ({
  ...{ studentId: answer.studentId, clientResponseId: answer.clientResponseId.toLowerCase(), itemRef: answer.itemRef },
  ...{ subSkillCode: item.subSkillCode, taskType: item.taskType, selectedOptionIndex: answer.selectedOptionIndex },
  correct: answer.selectedOptionIndex === item.correctOptionIndex,
  supportUsed: answer.supportUsed ?? false,
});
