// Everything that the report for a board says, read in one transaction: published cells, and what was measured.
import { bandDescriptions, bandDocuments, type Released, tileCell } from '../../aggregates/index.ts';
import { type CatalogueDocument, windowAt } from '../../catalogue/index.ts';
import type { Services } from '../../kernel/services.ts';
import { Organization } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import { seasonsAr } from '../pages/board-labels.ts';
import type { BoardReport, BoardTile, Share } from '../pages/board-report.ts';
import { localMoment, versionWords } from '../pages/stamps.ts';
import { schoolsIn, seasonsOf } from './released.ts';
import { type SchoolNow, schoolsNow } from './schools.ts';

interface Reading {
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
  { services, trx, now }: Reading,
  organizationId: string,
): Promise<ReadBoardReport> {
  const { name, timeZone, createdAt } = await Organization.query(trx).findById(organizationId).throwIfNotFound();
  const { rules } = await services.rules.at(trx, now);
  const catalogue = rules.values<CatalogueDocument>('catalogue/subskills');
  const { season } = windowAt({ timeZone }, { catalogue }, now);
  const schools = await schoolsNow(trx, organizationId, season);
  const seasons = await seasonsOf(trx, organizationId, localDate(now, timeZone));
  const newest = seasons.at(-1);
  const cells = await schoolsIn(
    trx,
    organizationId,
    schools.map(({ id }) => id),
    newest,
  );
  const sum = (of: (school: SchoolNow) => number) => schools.reduce((total, school) => total + of(school), 0);
  const bandStamp = { [bandDocuments.manager]: rules.versions[bandDocuments.manager] };
  const report: BoardReport = {
    ...{ organizationName: name, periodAr: newest ? periodOf(newest) : dash, students: studentsOf(newest) },
    ...{ schools: schools.length, classes: sum(({ classes }) => classes) },
    measured: shareOf(
      sum(({ measured }) => measured),
      sum(({ students }) => students),
    ),
    asOf: localMoment(newest?.asOf ?? null, timeZone),
    versions: versionWords({ ...newest?.ruleVersions, ...bandStamp }),
    madeAt: new Date(newest?.releasedAt ?? createdAt),
    bands: bandDescriptions(rules, 'manager'),
    tiles: tilesIn(newest, catalogue.tiles),
    trend: seasons.map((released) => ({ periodAr: periodOf(released), tiles: tilesIn(released, catalogue.tiles) })),
    bySchool: schools.map((school) => schoolOf(school, cells.get(school.id), catalogue.tiles)),
  };
  return { report, rules, timeZone };
}

const dash = '–';

const periodOf = ({ season, schoolYear }: Released): string => `${seasonsAr[season]} ${schoolYear}`;

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Some tiles have no sub-skills in some grades; every student is in one of the others. */
const studentsOf = (released: Released | undefined): number =>
  Math.max(0, ...(released?.cells ?? []).map(({ students }) => students));

const tilesIn = (released: Released | undefined, tiles: Tiles): BoardTile[] =>
  tiles.map(({ code, ar }) => {
    const cell = tileCell(released, code);
    return { nameAr: ar, students: cell?.students ?? 0, counts: cell?.counts ?? {} };
  });

const schoolOf = ({ name, students, measured }: SchoolNow, released: Released | undefined, tiles: Tiles) => ({
  ...{ name, students: studentsOf(released), measured: shareOf(measured, students) },
  support: tiles.map(({ code }) => supportOf(released, code)),
});

/** A sum of which a part is hidden is hidden, and so is a school that was not published. */
function supportOf(released: Released | undefined, tileCode: string): Share {
  const cell = tileCell(released, tileCode);
  const [below, severe] = [cell?.counts.Below ?? null, cell?.counts.Severe ?? null];
  if (!cell || below === null || severe === null) return 'hidden';
  return shareOf(below + severe, cell.students);
}
