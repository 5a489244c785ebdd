// The pages of the board report: published counts only, suppressed ones marked, in the order of the contract.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { type Bar, legendOf, stackedBars } from '#core/platform/pdf/charts/stacked-bars.ts';
import type { FootLine } from '#core/platform/pdf/foot.ts';
import type { Printed } from '#core/platform/pdf/printer.ts';
import type { StudentBand } from '../../aggregates/index.ts';
import { type BandWords, patternOf, wordsFor } from './bands.ts';
import { boardLabels } from './board-labels.ts';
import { reportLabels } from './labels.ts';
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

export interface BoardReport {
  readonly organizationName: string;
  /** Period of the newest release; null before the first one. */
  readonly periodAr: string | null;
  /** Students of the release; before the first one the current number. */
  readonly students: number;
  readonly schools: number;
  readonly classes: number;
  /** Shares of measured students in the season of the release and in the running one. */
  readonly measured: readonly MeasuredShare[];
  /** Local date of the first release, when there was none yet. */
  readonly firstRelease: string;
  /** Smaller counts are suppressed. */
  readonly threshold: number;
  readonly asOf: string | null;
  readonly versions: readonly string[];
  readonly madeAt: Date;
  readonly bands: readonly BandWords[];
  readonly tiles: readonly BoardTile[];
  /** Oldest first. */
  readonly trend: readonly { readonly periodAr: string; readonly tiles: readonly BoardTile[] }[];
  /** In alphabetical order. */
  readonly bySchool: readonly BoardSchool[];
}

export interface MeasuredShare {
  readonly periodAr: string;
  /** A share from 0 to 1; null without students. */
  readonly share: number | null;
}

export interface BoardTile {
  readonly nameAr: string;
  readonly students: number;
  /** Null means suppressed. */
  readonly counts: Readonly<Partial<Record<StudentBand, number | null>>>;
}

export interface BoardSchool {
  readonly name: string;
  readonly students: number;
  /** Share in the first of the report's seasons. */
  readonly measured: number | null;
  /** One share for each tile, in their order. */
  readonly support: readonly BoardShare[];
}

/** A share from 0 to 1; null without students. */
export type BoardShare = number | null | 'suppressed' | 'unpublished';

export const printedBoardReport = (report: BoardReport): Printed => ({
  title: boardLabels.title,
  madeAt: report.madeAt,
  fontSize,
  margins,
  foot: report.periodAr === null ? footOf([report.organizationName], null) : footWithKey(report),
  content: [
    title(boardLabels.title),
    headOf(report),
    ...(report.periodAr === null ? beforeRelease(report) : published(report)),
    printedVersions(report.versions),
  ],
});

/** Every page has the key of patterns. */
const footWithKey = ({ organizationName, asOf, bands }: BoardReport): FootLine[] => [
  { content: keyWith(bands) },
  ...footOf([organizationName], asOf),
];

const published = (report: BoardReport): Content[] => [
  ...section(boardLabels.tiles, tilesOf(report)),
  ...trendOf(report),
  ...schoolsOf(report),
  ...section(boardLabels.method, [{ stack: methodOf(report) }]),
];

const dash = '–';
const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

function shareCell(share: BoardShare): Content {
  if (share === 'suppressed') return word(reportLabels.hidden);
  if (share === 'unpublished') return word(boardLabels.unpublished);
  return number(share === null ? dash : percent(share));
}

const measuredWords = ({ periodAr }: MeasuredShare): string => `${boardLabels.measured} (${periodAr})`;

const headOf = (report: BoardReport): Content =>
  pairs([
    [reportLabels.organization, report.organizationName],
    [boardLabels.period, report.periodAr ?? boardLabels.unpublished],
    [boardLabels.students, String(report.students)],
    [boardLabels.schools, String(report.schools)],
    [boardLabels.classes, String(report.classes)],
    ...report.measured.map((one): [string, string] => [
      measuredWords(one),
      one.share === null ? dash : percent(one.share),
    ]),
  ]);

/** All suppressed counts of a unit are one part of the bar. */
function barOf(label: string, { students, counts }: BoardTile, bands: readonly BandWords[]): Bar {
  const shown = bands.map(({ band }) => ({ value: counts[band] ?? 0, pattern: patternOf[band] }));
  // Not even the number of students is shown for classes that are too small to be counted.
  if (students === 0) return { label, parts: [{ value: 1, pattern: 'level', words: reportLabels.hidden }] };
  const hidden = students - shown.reduce((sum, { value }) => sum + value, 0);
  return { label, parts: [...shown, { value: hidden, pattern: 'level', words: reportLabels.hidden }] };
}

const keyWith = (bands: readonly BandWords[]): Content =>
  legendOf(
    [
      ...bands.map(({ band, labelAr }) => ({ pattern: patternOf[band], words: labelAr })),
      { pattern: 'level', words: reportLabels.hidden },
    ],
    pageWidth,
    6,
  );

const size = { width: pageWidth, labelWidth: 130 };

/** Cells with count and share. */
const countCells = ({ students, counts }: BoardTile, bands: readonly BandWords[]): TableCell[] =>
  bands.map(({ band }) => {
    const count = counts[band] ?? null;
    return word(
      count === null || students === 0 ? reportLabels.hidden : `${count} (${Math.round((count / students) * 100)}%)`,
    );
  });

function tilesOf({ tiles, bands }: BoardReport): Content[] {
  const rows = tiles.map((tile): TableCell[] => [word(tile.nameAr), number(tile.students), ...countCells(tile, bands)]);
  const head = [reportLabels.tile, boardLabels.students, ...bands.map(({ labelAr }) => labelAr)];
  return [
    {
      unbreakable: true,
      stack: [
        stackedBars(
          tiles.map((tile) => barOf(tile.nameAr, tile, bands)),
          size,
        ),
        reportTable({ widths: evenWidths(bands.length, [120, 44]), head, rows }),
      ],
    },
  ];
}

/** The page before the first release: what will be published, and when. */
const beforeRelease = (report: BoardReport): Content[] => [
  ...section(boardLabels.toCome, [
    word(`${boardLabels.firstRelease} ${report.firstRelease}.`),
    word(boardLabels.willHold),
    ...report.tiles.map(({ nameAr }) => word(`– ${nameAr}`)),
    word(boardLabels.noLevels),
  ]),
  ...section(boardLabels.method, [{ stack: methodOf(report) }]),
];

function trendOf({ trend, tiles, bands }: BoardReport): Content[] {
  const points = tiles.map(({ nameAr }, at) => ({
    nameAr,
    seasons: trend.flatMap(({ periodAr, tiles: of }) => {
      const tile = of[at];
      return tile ? [{ periodAr, tile }] : [];
    }),
  }));
  const charts = points.map(
    ({ nameAr, seasons }): Content => ({
      unbreakable: true,
      stack: [
        { ...word(nameAr, true), margin: [0, 6, 0, 0] },
        stackedBars(
          seasons.map(({ periodAr, tile }) => barOf(periodAr, tile, bands)),
          size,
        ),
      ],
    }),
  );
  const rows = points.flatMap(({ nameAr, seasons }) =>
    seasons.map(({ periodAr, tile }): TableCell[] => [
      ...[word(nameAr), word(periodAr), number(tile.students)],
      ...countCells(tile, bands),
    ]),
  );
  const head = [reportLabels.tile, boardLabels.period, boardLabels.students, ...bands.map(({ labelAr }) => labelAr)];
  return [
    ...section(boardLabels.trend, charts),
    reportTable({ widths: evenWidths(bands.length, [84, 76, 40]), head, rows }),
  ];
}

function schoolsOf({ bySchool, tiles, measured: [first] }: BoardReport): Content[] {
  if (bySchool.length === 0) return section(boardLabels.bySchool, [word(boardLabels.noSchools)]);
  const rows = bySchool.map((school): TableCell[] => [
    ...[word(school.name), number(school.students), shareCell(school.measured)],
    ...school.support.map(shareCell),
  ]);
  const names = tiles.map(({ nameAr }) => nameAr);
  return [
    reportTable({
      heading: `${boardLabels.bySchool}، ${boardLabels.support}`,
      widths: evenWidths(tiles.length, [80, 36, 60]),
      head: [boardLabels.school, boardLabels.students, first ? measuredWords(first) : boardLabels.measured, ...names],
      rows,
    }),
  ];
}

const methodOf = ({ bands, threshold }: BoardReport): Content[] => {
  const labelOf = wordsFor(bands);
  return [
    ...bands.map(({ labelAr, descriptionAr }) => word(`${labelAr}: ${descriptionAr}`)),
    word(boardLabels.measuredMeans),
    word(`${boardLabels.supportMeans}: ${labelOf('Below')}، ${labelOf('Severe')}.`),
    word(boardLabels.protection),
    word(boardLabels.threshold.replaceAll('{least}', String(threshold))),
    word(boardLabels.notYet),
    word(boardLabels.released),
  ];
};
