// The pages of the class report, in the order of the contract.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { stackedBars, swatchOf } from '#core/platform/pdf/charts/stacked-bars.ts';
import type { Printed } from '#core/platform/pdf/printer.ts';
import { patternOf, wordsFor } from './bands.ts';
import { gridOf } from './class-grid.ts';
import type { ClassReport } from './class-report-facts.ts';
import { classLabels, reportLabels } from './labels.ts';
import {
  evenWidths,
  fontSize,
  footOf,
  margins,
  number,
  pageWidth,
  pairs,
  printedVersions,
  reportTable,
  section,
  title,
  word,
} from './parts.ts';

export const printedClassReport = (report: ClassReport): Printed => ({
  title: classLabels.title,
  madeAt: report.madeAt,
  fontSize,
  margins,
  foot: footOf(originOf(report), report.asOf),
  content: [
    title(classLabels.title),
    headOf(report),
    ...section(classLabels.key, [bandKey(report)]),
    ...section(classLabels.tiles, tilesOf(report)),
    ...gridOf(report),
    ...waitingOf(report),
    ...movementOf(report),
    ...groupsOf(report),
    printedVersions(report.versions),
  ],
});

/** Repeated names are listed once. */
const originOf = ({ organizationName, schoolName, className }: ClassReport): string[] => [
  ...new Set([organizationName, schoolName, className]),
];

const headOf = ({
  organizationName,
  className,
  schoolName,
  gradeAr,
  teachers,
  schoolYear,
  students,
}: ClassReport): Content =>
  pairs([
    [reportLabels.organization, organizationName],
    [classLabels.school, schoolName],
    [classLabels.class, className],
    [classLabels.grade, gradeAr],
    [classLabels.teachers, teachers.length === 0 ? reportLabels.none : teachers.join('، ')],
    [classLabels.schoolYear, schoolYear],
    [classLabels.students, String(students.length)],
  ]);

/** Key of bands: pattern, label and description. */
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
  const rows = counted.map(({ tileAr, counts }): TableCell[] => [word(tileAr), ...counts.map(number)]);
  const head = [reportLabels.tile, ...bands.map(({ labelAr }) => labelAr)];
  return [
    {
      unbreakable: true,
      stack: [
        stackedBars(bars, { width: pageWidth, labelWidth: 120 }),
        reportTable({ widths: evenWidths(shown.length, [104]), head, rows }),
      ],
    },
  ];
}

/** The section of students without a result or with unmeasured areas. */
function waitingOf({ students, waiting, tiles, allMinutes }: ClassReport): Content[] {
  const none = students.length === 0 ? classLabels.noStudents : classLabels.allMeasured;
  if (waiting.length === 0) return section(classLabels.moreData, [word(none)]);
  const areas = waiting.reduce((sum, { unmeasured }) => sum + unmeasured.length, 0);
  const rows = waiting.map(({ name, actionAr, unmeasured, isComplete, minutes }): TableCell[] => [
    word(name),
    word(areasIn(unmeasured, isComplete, tiles)),
    word(actionAr),
    number(minutes === null ? '–' : Math.ceil(minutes)),
  ]);
  const head = [reportLabels.student, classLabels.unmeasured, classLabels.action, classLabels.minutes];
  const counts = pairs([
    [classLabels.waiting, String(waiting.filter(({ isHalted }) => isHalted).length)],
    [classLabels.among, String(waiting.filter(({ unmeasured }) => unmeasured.length > 0).length)],
    [classLabels.unmeasured, String(areas)],
    [classLabels.allMinutes, String(Math.ceil(allMinutes))],
  ]);
  return [...section(classLabels.moreData, [counts]), reportTable({ widths: [140, 190, 112], head, rows })];
}

const areasIn = (unmeasured: readonly string[], isAll: boolean, tiles: readonly string[]): string => {
  if (unmeasured.length === 0) return reportLabels.none;
  return isAll && tiles.length > 1 ? classLabels.everyArea : unmeasured.join('، ');
};

function movementOf({ movements, bands }: ClassReport): Content[] {
  if (movements.length === 0) return section(classLabels.movement, [word(classLabels.noMovement)]);
  const labelOf = wordsFor(bands);
  const rows = movements.map(({ tileAr, from, to, count }): TableCell[] => [
    word(tileAr),
    word(labelOf(from)),
    word(labelOf(to)),
    number(count),
  ]);
  const head = [reportLabels.tile, classLabels.from, classLabels.to, reportLabels.count];
  return [reportTable({ heading: classLabels.movement, widths: [150, 130, 130], head, rows })];
}

function groupsOf({ groups }: ClassReport): Content[] {
  if (groups.length === 0) return section(classLabels.groups, [word(classLabels.noGroups)]);
  const rows = groups
    .flatMap(({ titleAr, members }) => members.map((names) => ({ titleAr, names })))
    .map(({ titleAr, names }, at): TableCell[] => [number(at + 1), word(titleAr), word(names.join('، '))]);
  const head = [classLabels.no, classLabels.group, classLabels.members];
  return [reportTable({ heading: classLabels.groups, widths: [34, 160], head, rows })];
}
