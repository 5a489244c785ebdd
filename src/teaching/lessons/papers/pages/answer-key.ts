// The answer key: the right option of each item, numbered as on the student sheet.

import type { PrintedPart } from '#core/platform/pdf/printer.ts';
import { arabic, arabicDigits } from '#core/platform/pdf/text.ts';
import { paperLabels } from './labels.ts';
import { headOf, pageFoot, paperTable } from './marks.ts';
import { itemsInOrder, type LessonPaper } from './paper.ts';

export function answerKey(paper: LessonPaper): PrintedPart {
  const rows = itemsInOrder(paper).map(({ no, promptAr, options, correctOptionIndex }) => [
    arabic(arabicDigits(no)),
    arabic(promptAr),
    arabic(options[correctOptionIndex] ?? '', { bold: true }),
  ]);
  return {
    margins: [40, 40, 40, 24],
    foot: pageFoot(paper),
    content: [
      ...headOf(paper, paperLabels.key),
      rows.length === 0
        ? arabic(paperLabels.noItems)
        : paperTable([36, 260], [paperLabels.number, paperLabels.question, paperLabels.answer], rows),
    ],
  };
}
