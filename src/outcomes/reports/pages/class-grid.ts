// The grid of students and areas, one line for each student, with shaded and labelled bands.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { fitting } from '#core/platform/pdf/fitting.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic, row } from '#core/platform/pdf/text.ts';
import { shadeOf, wordsFor } from './bands.ts';
import type { ClassReport } from './class-report-facts.ts';
import { classLabels, reportLabels } from './labels.ts';
import { fontSize, headed, pageWidth, section, spanning, word } from './parts.ts';

/** Extra width of the table on each side, in points, so that names and labels fit on one line. */
const beyond = 20;
const wordWidth = 75;
const padding = 1;
const line = 0.5;

export function gridOf({ tiles, students, bands }: ClassReport): Content[] {
  if (students.length === 0) return section(classLabels.grid, [word(classLabels.noStudents)]);
  const labelOf = wordsFor(bands);
  const edges = (tiles.length + 1) * (2 * padding + line) + line;
  const nameWidth = pageWidth + 2 * beyond - tiles.length * wordWidth - edges;
  const rows = students.map(({ name, shortName, bands: own }): TableCell[] => [
    fitting({ full: name, short: shortName, width: nameWidth, style: { fontSize } }),
    ...own.map((band): TableCell => {
      const { fill, color } = shadeOf[band];
      return { ...arabic(labelOf(band), { fontSize, ...(color && { color }) }), ...(fill && { fillColor: fill }) };
    }),
  ]);
  return [
    {
      table: {
        headerRows: 2,
        dontBreakRows: true,
        keepWithHeaderRows: 1,
        widths: [...tiles.map(() => wordWidth), nameWidth],
        body: [
          spanning(headed(classLabels.grid, 0), tiles.length + 1),
          row(...[reportLabels.student, ...tiles].map((label) => word(label, true))),
          ...rows.map((cells) => row(...cells)),
        ],
      },
      layout: ruled({
        ...{ hLineWidth: line, vLineWidth: line, paddingLeft: padding, paddingRight: padding },
        ...{ paddingTop: 1, paddingBottom: 2 },
      }),
      margin: [-beyond, 4, -beyond, 4],
    },
  ];
}
