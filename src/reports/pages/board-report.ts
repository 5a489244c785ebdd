// The report for a board as pages: nothing but published counts, hidden ones said to be hidden, in the order of the contract.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { StudentBand } from '../../aggregates/index.ts';
import { type Bar, keyOf, stackedBars } from '../../platform/pdf/charts/stacked-bars.ts';
import type { Printed } from '../../platform/pdf/printer.ts';
import { type BandWords, patternOf, wordsFor } from './bands.ts';
import { boardLabels } from './board-labels.ts';
import { labels } from './labels.ts';
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

export interface BoardReport {
  readonly organizationName: string;
  /** Of the newest release; a dash before the first one. */
  readonly periodAr: string;
  readonly students: number;
  readonly schools: number;
  readonly classes: number;
  /** Of 1; null of nobody. */
  readonly measured: number | null;
  readonly asOf: string;
  readonly versions: readonly string[];
  readonly madeAt: Date;
  readonly bands: readonly BandWords[];
  readonly tiles: readonly BoardTile[];
  /** Oldest first. */
  readonly trend: readonly { readonly periodAr: string; readonly tiles: readonly BoardTile[] }[];
  /** In alphabetical order. */
  readonly bySchool: readonly BoardSchool[];
}

export interface BoardTile {
  readonly nameAr: string;
  readonly students: number;
  /** Null: hidden. */
  readonly counts: Readonly<Partial<Record<StudentBand, number | null>>>;
}

export interface BoardSchool {
  readonly name: string;
  readonly students: number;
  readonly measured: number | null;
  /** A tile each, in their order. */
  readonly support: readonly Share[];
}

/** Of 1; null of nobody. */
export type Share = number | null | 'hidden';

export const printedBoardReport = (report: BoardReport): Printed => ({
  title: boardLabels.title,
  madeAt: report.madeAt,
  fontSize,
  margins,
  foot: footOf(report.asOf, report.versions),
  content: [
    title(boardLabels.title),
    headOf(report),
    ...section(boardLabels.tiles, tilesOf(report)),
    ...trendOf(report),
    ...schoolsOf(report),
    ...section(boardLabels.method, [{ stack: methodOf(report) }]),
  ],
});

const dash = '–';
const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;
const shareCell = (share: Share): Content =>
  share === 'hidden' ? word(labels.hidden) : number(share === null ? dash : percent(share));

const headOf = (report: BoardReport): Content =>
  pairs([
    [boardLabels.organization, report.organizationName],
    [boardLabels.period, report.periodAr],
    [boardLabels.students, String(report.students)],
    [boardLabels.schools, String(report.schools)],
    [boardLabels.classes, String(report.classes)],
    [boardLabels.measured, report.measured === null ? dash : percent(report.measured)],
  ]);

/** What is hidden of a unit stands as one part: how it falls apart nobody is told. */
function barOf(label: string, { students, counts }: BoardTile, bands: readonly BandWords[]): Bar {
  const shown = bands.map(({ band }) => ({ value: counts[band] ?? 0, pattern: patternOf[band] }));
  // Before a release nobody is told how many there are either.
  const hidden = students === 0 ? 1 : students - shown.reduce((sum, { value }) => sum + value, 0);
  return { label, parts: [...shown, { value: hidden, pattern: 'level', words: labels.hidden }] };
}

const keyWith = (bands: readonly BandWords[]): Content =>
  keyOf(
    [
      ...bands.map(({ band, labelAr }) => ({ pattern: patternOf[band], words: labelAr })),
      { pattern: 'level', words: labels.hidden },
    ],
    pageWidth,
    3,
  );

const size = { width: pageWidth, labelWidth: 130 };

const countCells = ({ counts }: BoardTile, bands: readonly BandWords[]): TableCell[] =>
  bands.map(({ band }) => {
    const count = counts[band] ?? null;
    return count === null ? word(labels.hidden) : number(count);
  });

function tilesOf({ tiles, bands }: BoardReport): Content[] {
  const rows = tiles.map((tile): TableCell[] => [word(tile.nameAr), number(tile.students), ...countCells(tile, bands)]);
  const head = [labels.tile, boardLabels.students, ...bands.map(({ labelAr }) => labelAr)];
  return [
    keyWith(bands),
    stackedBars(
      tiles.map((tile) => barOf(tile.nameAr, tile, bands)),
      size,
    ),
    { unbreakable: true, stack: [table({ widths: evenWidths(bands.length, [120, 44]), head, rows })] },
  ];
}

function trendOf({ trend, tiles, bands }: BoardReport): Content[] {
  if (trend.length === 0) return section(boardLabels.trend, [word(boardLabels.noTrend)]);
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
  const head = [labels.tile, boardLabels.period, boardLabels.students, ...bands.map(({ labelAr }) => labelAr)];
  return [...section(boardLabels.trend, charts), table({ widths: evenWidths(bands.length, [84, 76, 40]), head, rows })];
}

function schoolsOf({ bySchool, tiles }: BoardReport): Content[] {
  if (bySchool.length === 0) return section(boardLabels.bySchool, [word(boardLabels.noSchools)]);
  const rows = bySchool.map((school): TableCell[] => [
    ...[word(school.name), number(school.students), shareCell(school.measured)],
    ...school.support.map(shareCell),
  ]);
  const names = tiles.map(({ nameAr }) => nameAr);
  return [
    table({
      heading: `${boardLabels.bySchool}، ${boardLabels.support}`,
      widths: evenWidths(tiles.length, [92, 38, 42]),
      head: [boardLabels.school, boardLabels.students, boardLabels.measured, ...names],
      rows,
    }),
  ];
}

const methodOf = ({ bands }: BoardReport): Content[] => {
  const said = wordsFor(bands);
  return [
    ...bands.map(({ labelAr, descriptionAr }) => word(`${labelAr}: ${descriptionAr}`)),
    word(boardLabels.measuredMeans),
    word(`${boardLabels.supportMeans}: ${said('Below')}، ${said('Severe')}.`),
    word(boardLabels.protection),
    word(boardLabels.released),
  ];
};
