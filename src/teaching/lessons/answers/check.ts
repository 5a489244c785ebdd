// Validation and scoring of submitted answers against the items of the lesson. Known answers are skipped; one invalid answer
// refuses the whole batch.
import { invalid } from '#core/platform/errors.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import type { LessonResponse } from './store.ts';

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
  /** Client ids of stored answers. */
  readonly known: ReadonlySet<string>;
}

/** Throws VALIDATION_ERROR `not_included`, `unknown_item` or `out_of_range` for the first invalid answer. */
export function newAnswers(sent: readonly SentAnswer[], { items, included, known }: AnswerRules): LessonResponse[] {
  const byRef = new Map(items.map((item) => [item.itemRef, item]));
  return sent.flatMap((answer, at) => {
    if (known.has(answer.clientResponseId.toLowerCase())) return [];
    if (!included.has(answer.studentId)) throw invalid(`responses.${at}.studentId`, 'not_included');
    const item = byRef.get(answer.itemRef);
    if (!item) throw invalid(`responses.${at}.itemRef`, 'unknown_item');
    const isInRange = answer.selectedOptionIndex < item.options.length;
    if (!isInRange) throw invalid(`responses.${at}.selectedOptionIndex`, 'out_of_range');
    return [scoreAnswer(answer, item)];
  });
}

const scoreAnswer = (answer: SentAnswer, item: BlueprintItem): LessonResponse => ({
  studentId: answer.studentId,
  clientResponseId: answer.clientResponseId.toLowerCase(),
  itemRef: answer.itemRef,
  subSkillCode: item.subSkillCode,
  taskType: item.taskType,
  selectedOptionIndex: answer.selectedOptionIndex,
  correct: answer.selectedOptionIndex === item.correctOptionIndex,
  supportUsed: answer.supportUsed ?? false,
});
