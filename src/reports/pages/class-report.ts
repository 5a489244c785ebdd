// The report on a class as pages: what is known of it, student by student and in numbers, in the order of the contract.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { StudentBand } from '../../aggregates/index.ts';
import { keyOf, stackedBars, swatchOf } from '../../platform/pdf/charts/stacked-bars.ts';
import type { Printed } from '../../platform/pdf/printer.ts';
import { type BandWords, patternOf, wordsFor } from './bands.ts';
import { classLabels, labels } from './labels.ts';
import {
  evenWidths,
  fontSize,
  footOf,
  margins,
  number,
  pageWidth,
  pairs,
  section,
  table,
  title,
  word,
} from './parts.ts';

export interface ClassReport {
  readonly schoolName: string;
  readonly className: string;
  readonly gradeAr: string;
  readonly teachers: readonly string[];
  readonly schoolYear: string;
  /** Local date and time of the newest run; a dash before the first one. */
  readonly asOf: string;
  readonly versions: readonly string[];
  /** Stands in the file: the same facts give the same bytes. */
  readonly madeAt: Date;
  readonly bands: readonly BandWords[];
  readonly tiles: readonly string[];
  /** In alphabetical order; a band a tile, in their order. */
  readonly students: readonly { readonly name: string; readonly bands: readonly StudentBand[] }[];
  readonly waiting: readonly { readonly name: string; readonly actionAr: string; readonly minutes: number | null }[];
  /** Of the plan for the class. */
  readonly allMinutes: number;
  readonly movements: readonly Movement[];
  readonly groups: readonly { readonly titleAr: string; readonly members: readonly (readonly string[])[] }[];
}

export interface Movement {
  readonly tileAr: string;
  readonly from: StudentBand;
  readonly to: StudentBand;
  readonly count: number;
}

export const printedClassReport = (report: ClassReport): Printed => ({
  title: classLabels.title,
  madeAt: report.madeAt,
  fontSize,
  margins,
  foot: footOf(report.asOf, report.versions),
  content: [
    title(classLabels.title),
    headOf(report),
    ...section(classLabels.key, [bandKey(report)]),
    ...section(classLabels.tiles, tilesOf(report)),
    ...gridOf(report),
    ...waitingOf(report),
    ...movementOf(report),
    ...groupsOf(report),
  ],
});

const headOf = ({ className, schoolName, gradeAr, teachers, schoolYear, students }: ClassReport): Content =>
  pairs([
    [classLabels.class, className],
    [classLabels.school, schoolName],
    [classLabels.grade, gradeAr],
    [classLabels.teachers, teachers.length === 0 ? labels.none : teachers.join('، ')],
    [classLabels.schoolYear, schoolYear],
    [classLabels.students, String(students.length)],
  ]);

/** The pattern of the charts beside the word and what it means. */
const bandKey = ({ bands }: ClassReport): Content => ({
  stack: bands.map(
    ({ band, labelAr, descriptionAr }): Content => ({
      unbreakable: true,
      columns: [
        { width: pageWidth - 30, stack: [word(`${labelAr}: ${descriptionAr}`)] },
        { width: 8, stack: [{ text: '' }] },
        { width: 22, stack: [swatchOf(patternOf[band])] },
      ],
    }),
  ),
});

function tilesOf({ tiles, students, bands }: ClassReport): Content[] {
  const shown = bands.map(({ band }) => band);
  const counted = tiles.map((tileAr, at) => ({
    tileAr,
    counts: shown.map((band) => students.filter((student) => student.bands[at] === band).length),
  }));
  const bars = counted.map(({ tileAr, counts }) => ({
    label: tileAr,
    parts: shown.map((band, at) => ({ value: counts[at] ?? 0, pattern: patternOf[band] })),
  }));
  const key = bands.map(({ band, labelAr }) => ({ pattern: patternOf[band], words: labelAr }));
  const rows = counted.map(({ tileAr, counts }): TableCell[] => [word(tileAr), ...counts.map(number)]);
  const head = [labels.tile, ...bands.map(({ labelAr }) => labelAr)];
  return [
    keyOf(key, pageWidth),
    stackedBars(bars, { width: pageWidth, labelWidth: 120 }),
    { unbreakable: true, stack: [table({ widths: evenWidths(shown.length, [84]), head, rows })] },
  ];
}

function gridOf({ tiles, students, bands }: ClassReport): Content[] {
  if (students.length === 0) return section(classLabels.grid, [word(classLabels.noStudents)]);
  const said = wordsFor(bands);
  const rows = students.map((student): TableCell[] => [
    word(student.name),
    ...student.bands.map((band) => word(said(band))),
  ]);
  const widths = evenWidths(tiles.length, [112]);
  return [table({ heading: classLabels.grid, widths, head: [labels.student, ...tiles], rows })];
}

function waitingOf({ waiting, allMinutes }: ClassReport): Content[] {
  if (waiting.length === 0) return section(classLabels.moreData, [word(classLabels.allMeasured)]);
  const rows = waiting.map(({ name, actionAr, minutes }): TableCell[] => [
    word(name),
    word(actionAr),
    minutes === null ? word(labels.none) : number(minutes),
  ]);
  const head = [labels.student, classLabels.action, classLabels.minutes];
  return [
    table({ heading: classLabels.moreData, widths: [190, 190], head, rows }),
    word(`${classLabels.allMinutes}: ${allMinutes}`),
  ];
}

function movementOf({ movements, bands }: ClassReport): Content[] {
  if (movements.length === 0) return section(classLabels.movement, [word(classLabels.noMovement)]);
  const said = wordsFor(bands);
  const rows = movements.map(({ tileAr, from, to, count }): TableCell[] => [
    word(tileAr),
    word(said(from)),
    word(said(to)),
    number(count),
  ]);
  const head = [labels.tile, classLabels.from, classLabels.to, labels.count];
  return [table({ heading: classLabels.movement, widths: [150, 130, 130], head, rows })];
}

function groupsOf({ groups }: ClassReport): Content[] {
  if (groups.length === 0) return section(classLabels.groups, [word(classLabels.noGroups)]);
  const rows = groups.flatMap(({ titleAr, members }) =>
    members.map((names): TableCell[] => [word(titleAr), word(names.join('، '))]),
  );
  const head = [classLabels.group, classLabels.members];
  return [table({ heading: classLabels.groups, widths: [190], head, rows })];
}
