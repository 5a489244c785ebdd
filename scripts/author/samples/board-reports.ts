// Reports for boards: of a hundred schools with suppressed counts, of one school, and before the first release.

import { renderPdf } from '#core/platform/pdf/printer.ts';
import { protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { Counts, SchoolCounts, ShownCounts } from '#outcomes/aggregates/engine/units.ts';
import { bandDescriptions } from '#outcomes/aggregates/index.ts';
import { tileStatistic } from '#outcomes/aggregates/releases/statistics/status.ts';
import { aggregateBands } from '#outcomes/aggregates/rules/bands.ts';
import {
  type BoardReport,
  type BoardShare,
  type BoardTile,
  printedBoardReport,
} from '#outcomes/reports/pages/board-report.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { drawing, schoolName } from './people.ts';
import type { Sample } from './sample.ts';

const weights = { Meets: 30, Approaching: 25, Below: 15, Severe: 6, More_Data: 4 } as const;
const byName = new Intl.Collator('ar').compare;

/** Returns counts of one tile in one season, class by class. */
function countedSchools(schools: number, seed: number): SchoolCounts[] {
  const draw = drawing<keyof typeof weights>(seed);
  return Array.from({ length: schools }, (_, school) => ({
    id: `school ${school}`,
    classes: Array.from({ length: 1 + (school % 4) }, (_, no) => {
      const bands = Array.from({ length: (schools === 1 ? 26 : 4) + ((school * 7 + no * 3) % 27) }, () =>
        draw(weights),
      );
      const counts = aggregateBands.map((band) => [band, bands.filter((one) => one === band).length] as const);
      return { id: `class ${school}.${no}`, counts: Object.fromEntries(counts) };
    }),
  }));
}

const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Returns the published counts of a tile: of the organization and of each school. */
function publishedOf(bundle: RuleBundle, schools: number, seed: number) {
  const rules = tileStatistic.protection(bundle);
  const counted = countedSchools(schools, seed);
  const shown = protectTogether(counted, rules);
  const students = new Map(
    counted.map(({ id, classes }) => {
      const sizes = classes.map(({ counts }) => total(counts)).filter((size) => size >= rules.threshold);
      return [id, sizes.reduce((sum, size) => sum + size, 0)];
    }),
  );
  return { shown, students, all: [...students.values()].reduce((sum, size) => sum + size, 0) };
}

type Published = ReturnType<typeof publishedOf>;

function supportOf({ shown, students }: Published, id: string): BoardShare {
  const counts: ShownCounts | null | undefined = shown.schools[id];
  const [below, severe] = [counts?.Below ?? null, counts?.Severe ?? null];
  const size = students.get(id) ?? 0;
  return below === null || severe === null || size === 0 ? 'suppressed' : (below + severe) / size;
}

/** Tiles and seasons rotate these, because suppression in a hundred schools takes long. */
const drawings = 3;
const periods = ['بداية العام 2024-2025', 'منتصف العام 2024-2025', 'نهاية العام 2024-2025', 'بداية العام 2025-2026'];

export function sampleBoard(bundle: RuleBundle, schools: number, seasons: readonly string[] = periods): BoardReport {
  const { tiles } = bundle.values<CatalogueDocument>('catalogue/subskills');
  const drawn = Array.from({ length: drawings }, (_, seed) => publishedOf(bundle, schools, seed + 1));
  const published = seasons.map((_period, season) =>
    tiles.flatMap((_tile, at) => drawn[(season + at) % drawings] ?? []),
  );
  const tilesIn = (season: readonly Published[] | undefined): BoardTile[] =>
    tiles.map(({ ar }, at) => {
      const of = season?.[at];
      return { nameAr: ar, students: of?.all ?? 0, counts: of?.shown.organization ?? {} };
    });
  const newest = published.at(-1);
  return {
    organizationName: 'مؤسسة البيان للتعليم',
    periodAr: seasons.at(-1) ?? null,
    students: newest?.[0]?.all ?? 75,
    schools,
    classes: schools * 3,
    asOf: newest ? '2026/1/15، الساعة 02:00' : null,
    measured: newest
      ? [
          { periodAr: seasons.at(-1) ?? '', share: 0.9137 },
          { periodAr: 'منتصف العام 2025-2026', share: 0.042 },
        ]
      : [{ periodAr: 'بداية العام 2025-2026', share: 0.36 }],
    firstRelease: '2025/12/1',
    threshold: tileStatistic.protection(bundle).threshold,
    versions: newest ? ['DSM@2', 'SSR@1', 'band-descriptions/manager@1', 'catalogue/subskills@2'] : [],
    madeAt: new Date('2026-01-15T02:00:00Z'),
    bands: bandDescriptions(bundle, 'manager'),
    tiles: tilesIn(newest),
    trend: published.map((season, at) => ({ periodAr: seasons[at] ?? '', tiles: tilesIn(season) })),
    bySchool: Array.from({ length: schools }, (_, at) => ({
      name: schoolName(at),
      students: newest?.[0]?.students.get(`school ${at}`) ?? 0,
      measured: 0.7 + (at % 30) / 100,
      support: tiles.map((_tile, no) => (newest?.[no] ? supportOf(newest[no], `school ${at}`) : 'unpublished')),
    })).toSorted((one, other) => byName(one.name, other.name)),
  };
}

const boards: Readonly<Record<string, { readonly schools: number; readonly seasons: readonly string[] }>> = {
  'board-report.pdf': { schools: 100, seasons: periods },
  'board-report-of-one-school.pdf': { schools: 1, seasons: periods.slice(3) },
  'board-report-before-a-release.pdf': { schools: 3, seasons: [] },
};

export const boardSamples = (bundle: RuleBundle): readonly Sample[] =>
  Object.entries(boards).map(([name, { schools, seasons }]) => ({
    name,
    make: () => renderPdf(printedBoardReport(sampleBoard(bundle, schools, seasons))),
  }));
