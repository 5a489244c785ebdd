// Renders letters for print: A4, black on white, 13 points.
import type { Content, ContentCanvas, TableCell } from 'pdfmake/interfaces.js';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { type PrintedPart, renderParts } from '#core/platform/pdf/printer.ts';
import { arabic, joined, row, type TextStyle } from '#core/platform/pdf/text.ts';
import type { TaskOwner } from '#core/platform/process/worker-pool.ts';
import type { Trajectory } from '../engine/enums.ts';
import { arrowBox, arrows } from './arrows.ts';
import type { LetterContent, LetterSuggestion, LetterTile } from './content.ts';

const letterSize = 13;

const margins = [48, 30, 48, 22] as const;
/** Between the margins of an A4 page, in points. */
const pageWidth = 595 - margins[0] - margins[2];

/** Renders letters as one PDF that contains no name in its metadata. Equal letters on one local day give equal bytes. */
export const printLetters = (
  titleAr: string,
  parts: readonly PrintedPart[],
  localDay: string,
  owner?: TaskOwner,
): Promise<Buffer> =>
  renderParts({ title: titleAr, madeAt: new Date(`${localDay}T00:00:00.000Z`), fontSize: letterSize, parts }, owner);

/** Lays out a letter on one page, two at most, starting on the front of a sheet. */
export const letterPart = (letter: LetterContent): PrintedPart => ({
  margins,
  onFront: true,
  bookmark: letter.fullNameAr ?? letter.titleAr,
  foot: [{ words: originOf(letter).join(' – '), direction: 'rightToLeft', style: footStyle }],
  content: [
    ...headOf(letter),
    arabic(letter.titleAr, { fontSize: 18, bold: true, margin: [0, 4, 0, 2] }),
    arabic(letter.greetingAr, { margin: [0, 0, 0, 2] }),
    ...(letter.seen ? [heading(letter.seen.headingAr), tilesOf(letter.seen.tiles)] : []),
    ...(letter.home ? [heading(letter.home.headingAr), ...letter.home.suggestions.map(suggestionOf)] : []),
    ...(letter.moreData ? [heading(letter.moreData.headingAr), paragraph(letter.moreData.messageAr)] : []),
    { unbreakable: true, stack: [heading(letter.next.headingAr), paragraph(letter.next.sentenceAr)] },
    ...known(letter.signatureAr).map((line) => arabic(line, { margin: [0, 4, 0, 0] })),
  ],
  atFoot: slipOf(letter),
});

const footStyle: TextStyle = { fontSize: 10, alignment: 'center', margin: [0, 8, 0, 0] };

const known = (...words: readonly (string | null)[]): string[] => words.flatMap((word) => word ?? []);

const originOf = ({ confidentialAr, organizationName, schoolName, className }: LetterContent): string[] =>
  known(confidentialAr, organizationName, schoolName, className);

/** Organization and school, class and name, and the date. */
const headOf = ({ organizationName, schoolName, className, fullNameAr, dateAr }: LetterContent): Content[] => [
  arabic(known(organizationName, schoolName).join(' – '), { lineHeight: 0.95 }),
  arabic(known(className, fullNameAr).join(' – '), { bold: true, lineHeight: 0.95 }),
  arabic(dateAr, { lineHeight: 0.95 }),
];

const heading = (text: string): Content => arabic(text, { fontSize: 15, bold: true, margin: [0, 7, 0, 2] });

/** Justified text. */
const paragraph = (text: string): Content => arabic(text, { alignment: 'justify' });

const tilesOf = (tiles: readonly LetterTile[]): Content => ({
  table: { widths: [238, '*'], dontBreakRows: true, body: tiles.map(tileRow) },
  layout: ruled({
    ...{ hLineWidth: 0.5, vLineWidth: 0, paddingTop: 1, paddingBottom: 3, paddingLeft: 0, paddingRight: 0 },
  }),
});

/** The area and its sentence on the right, the observation on the left. */
const tileRow = ({ nameAr, sentenceAr, periodAr, labelAr, direction }: LetterTile): TableCell[] =>
  row(
    { stack: [arabic(nameAr, { bold: true, lineHeight: 0.95 }), arabic(sentenceAr, { lineHeight: 0.95 })] },
    {
      stack: [
        arabic(`${periodAr}: ${labelAr}`, { bold: true, lineHeight: 0.95 }),
        ...(direction ? [signed(direction.trajectory, direction.wordsAr)] : []),
      ],
    },
  );

const gap = 6;

/** The arrow is on the right, where reading begins. */
const signed = (trajectory: Trajectory, words: string): Content => ({
  columns: [
    { width: '*', stack: [arabic(words, { lineHeight: 0.95 })] },
    { width: arrowBox.width + gap, stack: [{ ...arrowOf(trajectory), margin: [gap, 5, 0, 0] }] },
  ],
});

const arrowOf = (trajectory: Trajectory): ContentCanvas => ({
  canvas: arrows[trajectory].map((line) => ({
    ...{ type: 'polyline', lineWidth: 1.2, lineCap: 'round' },
    points: line.map(([x, y]) => ({ x, y })),
  })),
});

const markerWidth = 14;

function suggestionOf({ titleAr, bodyAr }: LetterSuggestion): Content {
  return {
    columns: [
      {
        width: pageWidth - markerWidth,
        stack: [
          joined([{ text: `${titleAr}: `, bold: true }, { text: bodyAr }], { alignment: 'justify', lineHeight: 0.95 }),
        ],
      },
      {
        width: markerWidth,
        stack: [{ canvas: [{ type: 'ellipse', x: 9, y: 0, r1: 2, r2: 2, color: 'black' }], margin: [0, 11, 0, 0] }],
      },
    ],
    margin: [0, 0, 0, 1],
  };
}

/** The slip to cut off; it repeats the name and class of the head. */
function slipOf({
  fullNameAr,
  className,
  slip: { headingAr, guardianAr, notesAr, teacherAr },
}: LetterContent): Content {
  return {
    unbreakable: true,
    margin: [0, 6, 0, 0],
    stack: [
      { canvas: [{ type: 'line', x1: 0, y1: 0, x2: pageWidth, y2: 0, lineWidth: 1, dash: { length: 4 } }] },
      arabic(headingAr, { fontSize: 14, bold: true, margin: [0, 3, 0, 0] }),
      arabic(known(fullNameAr, className).join(' – '), { bold: true, lineHeight: 0.95 }),
      ...[guardianAr, notesAr, teacherAr].map(toWriteOn),
    ],
  };
}

/** A label, with space to write above a thin line. */
const toWriteOn = (words: string): Content => ({
  stack: [
    arabic(words, { lineHeight: 0.95 }),
    { canvas: [{ type: 'line', x1: 0, y1: 0, x2: pageWidth * 0.62, y2: 0, lineWidth: 0.5 }], margin: [0, 13, 0, 2] },
  ],
});
