// The student sheet: the name, and items with options to tick. Speech texts and keys are not printed.
import type { Content } from 'pdfmake/interfaces.js';
import { ruled } from '#core/platform/pdf/layouts.ts';
import type { PrintedPart } from '#core/platform/pdf/printer.ts';
import { arabic, arabicDigits } from '#core/platform/pdf/text.ts';
import { paperLabels } from './labels.ts';
import { box, dots, headOf, pageFoot, paperWidth } from './marks.ts';
import { itemsInOrder, type LessonPaper, type NumberedItem } from './paper.ts';

/** Font size in points; beginning readers need large letters. */
const sizeFor = (grade: number): number => (grade <= 2 ? 18 : 15);

/** Letters from which a passage may fill a page, so that it is not kept together with its question. */
const longPassage = 400;
/** Maximum letters of options that are printed side by side. */
const shortOption = 9;

/** One sheet per recipient; without recipients one sheet without a name. */
export function studentSheet(paper: LessonPaper): PrintedPart {
  const size = sizeFor(paper.grade);
  const items = itemsInOrder(paper);
  const names = paper.recipients.length > 0 ? paper.recipients : [''];
  return {
    margins: [40, 30, 40, 24],
    foot: pageFoot(paper),
    content: [
      ...headOf(paper),
      ...(items.length === 0 ? [arabic(paperLabels.noItems, { fontSize: size })] : itemsOf(items, size)),
    ],
    copies: names.map((name) => headOfSheet(paper, name)),
  };
}

/** The header of each page of a sheet: name, class and the address of the service. */
const headOfSheet = ({ classNameAr, address }: LessonPaper, name: string): Content => ({
  stack: [
    arabic(`${paperLabels.name}: ${name === '' ? dots : name} – ${classNameAr}`, { fontSize: 16, bold: true }),
    arabic(`${paperLabels.address}: ${address}`, { fontSize: 10 }),
  ],
});

function itemsOf(items: readonly NumberedItem[], size: number): Content[] {
  return items.flatMap((item, at): Content[] => {
    const { passageAr } = item;
    const isNew = passageAr !== null && passageAr !== items[at - 1]?.passageAr;
    const passage = isNew ? [passageBlock(passageAr, size)] : [];
    const question: Content = { stack: questionOf(item, size), unbreakable: true, margin: [0, 0, 0, 14] };
    if (!isNew || lettersOf(passageAr) > longPassage) return [...passage, question];
    return [{ stack: [...passage, question], unbreakable: true }];
  });
}

const passageBlock = (text: string, size: number): Content => ({
  table: { widths: [paperWidth - 10], body: [[arabic(text, { fontSize: size, lineHeight: 1.25 })]] },
  layout: ruled({ hLineWidth: 0.75, vLineWidth: 0.75, paddingTop: 6, paddingBottom: 8 }),
  margin: [0, 0, 0, 8],
});

const numberWidth = 30;

function questionOf({ no, promptAr, options }: NumberedItem, size: number): Content[] {
  return [
    {
      columns: [
        { width: paperWidth - numberWidth, ...columnOf(arabic(promptAr, { fontSize: size, lineHeight: 1.2 })) },
        { width: numberWidth, ...columnOf(arabic(`${arabicDigits(no)}.`, { fontSize: size, bold: true })) },
      ],
      margin: [0, 0, 0, 4],
    },
    options.every((option) => lettersOf(option) <= shortOption)
      ? sideBySide(options, size)
      : {
          stack: options.map((option) => optionLine(option, size, paperWidth - numberWidth)),
          margin: [0, 0, numberWidth, 0],
        },
  ];
}

const columnOf = (content: Content): { stack: Content[] } => ({ stack: [content] });

/** Prints options in one line, from right to left. */
function sideBySide(options: readonly string[], size: number): Content {
  const width = (paperWidth - numberWidth) / options.length;
  const columns = options.map((option) => ({ width, ...columnOf(optionLine(option, size, width)) }));
  return { columns: columns.reverse(), margin: [0, 0, numberWidth, 0] };
}

/** Prints a box on the right, followed by the option. */
function optionLine(option: string, size: number, width: number): Content {
  const [boxWidth, gap] = [size * 0.75, size * 0.75];
  return {
    columns: [
      { width: width - boxWidth - gap, ...columnOf(arabic(option, { fontSize: size, lineHeight: 1.2 })) },
      { width: gap, text: '' },
      { width: boxWidth, ...columnOf(box(boxWidth)) },
    ],
    margin: [0, 2, 0, 2],
  };
}

/** Counts letters without diacritics, which do not widen a line. */
const lettersOf = (text: string): number => [...text.replaceAll(/\p{M}/gu, '')].length;
