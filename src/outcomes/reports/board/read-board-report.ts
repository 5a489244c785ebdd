// Reads the facts of the board report in one transaction: published cells, and numbers of measured students.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { Organization } from '#identity/people/index.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { plainName } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import {
  bandDescriptions,
  bandDocuments,
  datesOfSeason,
  protectionSettings,
  type Released,
  seasonOn,
  tileCell,
} from '../../aggregates/index.ts';
import { seasonsAr } from '../pages/board-labels.ts';
import type { BoardReport, BoardShare, BoardTile } from '../pages/board-report.ts';
import { localMoment, staffDate, versionWords } from '../pages/stamps.ts';
import { schoolsIn, seasonsOf } from './released.ts';
import { type ReportedSchool, schoolsNow } from './schools.ts';

interface ReadContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export interface ReadBoardReport {
  readonly report: BoardReport;
  readonly rules: RuleBundle;
  /** IANA name. */
  readonly timeZone: string;
}

type Tiles = CatalogueDocument['tiles'];

export async function readBoardReport(
  { services, trx, now }: ReadContext,
  organizationId: string,
): Promise<ReadBoardReport> {
  const { name, timeZone, createdAt } = await Organization.query(trx).findById(organizationId).throwIfNotFound();
  const { rules } = await services.rules.at(trx, now);
  const catalogue = rules.values<CatalogueDocument>('catalogue/subskills');
  const schools = await schoolsNow(trx, organizationId);
  const today = localDate(now, timeZone);
  const seasons = await seasonsOf(trx, organizationId, today);
  const newest = seasons.at(-1);
  const ids = schools.map(({ id }) => id);
  const cells = await schoolsIn(trx, organizationId, ids, newest);
  const sum = (of: (school: ReportedSchool) => number) => schools.reduce((total, school) => total + of(school), 0);
  const bandStamp = { [bandDocuments.manager]: rules.versions[bandDocuments.manager] };
  const reported = reportedSeasons(newest, seasonOn(today, catalogue));
  const report: BoardReport = {
    ...{ organizationName: plainName(name), periodAr: newest ? periodOf(newest) : null },
    students: newest ? studentsOf(newest) : sum(({ students }) => students),
    ...{ schools: schools.length, classes: sum(({ classes }) => classes) },
    measured: reported.map((season) => ({
      periodAr: periodOf(season),
      share: shareOf(
        sum((school) => measuredIn(school, season)),
        sum(({ students }) => students),
      ),
    })),
    firstRelease: firstReleaseOf(reported.at(-1), catalogue),
    threshold: protectionSettings(rules).threshold,
    asOf: localMoment(newest?.asOf ?? null, timeZone),
    versions: versionWords({ ...newest?.ruleVersions, ...bandStamp }),
    madeAt: new Date(newest?.releasedAt ?? createdAt),
    bands: bandDescriptions(rules, 'manager'),
    tiles: tilesIn(newest, catalogue.tiles),
    trend: seasons.map((released) => ({ periodAr: periodOf(released), tiles: tilesIn(released, catalogue.tiles) })),
    bySchool: schools.map((school) => schoolOf(school, reported[0], cells.get(school.id), catalogue.tiles)),
  };
  return { report, rules, timeZone };
}

type SeasonOfYear = Pick<Released, 'season' | 'schoolYear'>;

/** Returns the published season, if it is of this school year, and the running season. */
function reportedSeasons(newest: Released | undefined, running: SeasonOfYear | undefined): SeasonOfYear[] {
  if (!running) return newest ? [newest] : [];
  const isOther = newest?.schoolYear === running.schoolYear && newest.season !== running.season;
  return isOther ? [newest, running] : [running];
}

const measuredIn = ({ measured }: ReportedSchool, { season }: SeasonOfYear): number => measured[season] ?? 0;

/** Returns the first day after the season. */
const firstReleaseOf = (season: SeasonOfYear | undefined, calendar: CatalogueDocument): string =>
  season ? staffDate(daysAfter(datesOfSeason(season, calendar).to, 1)) : dash;

const dash = '–';

const periodOf = ({ season, schoolYear }: SeasonOfYear): string => `${seasonsAr[season]} ${schoolYear}`;

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/**
 * Returns the largest number of students of a cell: some tiles have no sub-skills in some grades, and every student is
 * counted in another tile.
 */
const studentsOf = (released: Released | undefined): number =>
  Math.max(0, ...(released?.cells ?? []).map(({ students }) => students));

const tilesIn = (released: Released | undefined, tiles: Tiles): BoardTile[] =>
  tiles.map(({ code, ar }) => {
    const cell = tileCell(released, code);
    return { nameAr: ar, students: cell?.students ?? 0, counts: cell?.counts ?? {} };
  });

const schoolOf = (
  school: ReportedSchool,
  season: SeasonOfYear | undefined,
  released: Released | undefined,
  tiles: Tiles,
): BoardReport['bySchool'][number] => ({
  ...{ name: plainName(school.name), students: released ? studentsOf(released) : school.students },
  measured: season ? shareOf(measuredIn(school, season), school.students) : null,
  support: tiles.map(({ code }) => supportOf(released, code)),
});

/** A sum with a suppressed part is suppressed; a school without a release has no share. */
function supportOf(released: Released | undefined, tileCode: string): BoardShare {
  if (!released) return 'unpublished';
  const cell = tileCell(released, tileCode);
  const [below, severe] = [cell?.counts.Below ?? null, cell?.counts.Severe ?? null];
  if (!cell || below === null || severe === null) return 'suppressed';
  return shareOf(below + severe, cell.students);
}
