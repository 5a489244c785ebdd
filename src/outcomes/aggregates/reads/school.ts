// A school in counts. Callers who may read each of its children get current counts; all others get released ones.
import type { Static } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import type { School } from '#identity/people/index.ts';
import type { CountingCatalogue } from '../catalogue.ts';
import { type Statistic, sufficiencyBands } from '../enums.ts';
import { presentAggregate, releasedHead, tileCell } from '../present.ts';
import { type ClassNow, newestRunOf, type SchoolClassesNow, schoolNow, sumOf } from './live-counts.ts';
import { liveCell, liveTile } from './live-present.ts';
import { releasedQuadrants } from './quadrants.ts';
import { catalogueNow, type ReadContext, seasonNow, shareOf } from './read-context.ts';
import { type NewestRelease, newestRelease } from './released.ts';
import type { OverviewQuery } from './schemas.ts';

type Reading = ReadContext & { readonly actor: Actor };

/** Managers may not read single children. */
const readsLive = ({ persona }: Actor): boolean => persona === 'PRINCIPAL' || persona === 'ADMIN';

export async function readSchool(ctx: Reading, school: School, { squares }: Static<typeof OverviewQuery>) {
  const statistics = [...(readsLive(ctx.actor) ? [] : reported), ...(squares ? (['square'] as const) : [])];
  const { found, release, catalogue } = await load(ctx, school, 'school', statistics);
  const { classes, timeZone } = found;
  const students = sumOf(classes, (one) => one.students);
  const season = seasonNow(timeZone, catalogue, ctx.now);
  const measured = sumOf(classes, (one) => one.measured[season] ?? 0);
  return {
    ...{ schoolId: school.id, name: school.name, ...headOf(ctx.actor, classes, release) },
    ...{ classes: classes.length, students, coverage: { season, measured, share: shareOf(measured, students) } },
    ...(readsLive(ctx.actor) ? liveParts(classes, catalogue) : releasedParts(release, catalogue)),
    ...(squares && { squares: releasedQuadrants(release) }),
  };
}

export async function readHeatmap(ctx: Reading, school: School) {
  const { found, release, catalogue } = await load(ctx, school, 'class', readsLive(ctx.actor) ? [] : ['tile']);
  const cellOf = readsLive(ctx.actor)
    ? (row: ClassNow, tileCode: string) => liveCell(tileCode, [row])
    : (row: ClassNow, tileCode: string) => {
        const own = release?.cells.filter(({ unitId }) => unitId === String(row.classId)) ?? [];
        const { nameAr: _, ...cell } = presentAggregate({ tileCode, nameAr: '' }, tileCell({ cells: own }, tileCode));
        return cell;
      };
  return {
    ...{ schoolId: school.id, ...headOf(ctx.actor, found.classes, release) },
    columns: catalogue.tiles.map(({ tileCode, nameAr }) => ({ tileCode, nameAr })),
    rows: found.classes.map((row) => ({
      ...{ classId: row.classId, name: row.name, grade: row.grade, students: row.students },
      cells: catalogue.tiles.map(({ tileCode }) => cellOf(row, tileCode)),
    })),
  };
}

interface Loaded {
  readonly found: SchoolClassesNow;
  readonly release: NewestRelease | undefined;
  readonly catalogue: CountingCatalogue;
}

const reported = ['tile', 'sufficiency'] as const;

/** Reads everything in parallel. With no `statistics`, released cells are not read. */
async function load(
  ctx: Reading,
  { id, organizationId }: School,
  cellsOf: 'school' | 'class',
  statistics: readonly Statistic[],
): Promise<Loaded> {
  const question = { organizationId, unit: 'school', unitId: id, cellsOf, statistics } as const;
  const [catalogue, found, release] = await Promise.all([
    catalogueNow(ctx),
    schoolNow(ctx.trx, organizationId, id),
    statistics.length === 0 ? undefined : newestRelease(ctx.trx, question),
  ]);
  return { found, release, catalogue };
}

const headOf = (actor: Actor, classes: readonly ClassNow[], release: NewestRelease | undefined) =>
  readsLive(actor) ? { basis: 'live' as const, release: null, ...newestRunOf(classes) } : releasedHead(release);

const liveParts = (classes: readonly ClassNow[], { tiles }: CountingCatalogue) => ({
  sufficiency: {
    sufficient: sumOf(classes, (one) => one.sufficient),
    insufficient: sumOf(classes, (one) => one.insufficient),
    contextual: sumOf(classes, (one) => one.contextual),
    suppressed: false,
  },
  tiles: tiles.map((tile) => liveTile(tile, classes)),
});

function releasedParts(release: NewestRelease | undefined, { tiles }: CountingCatalogue) {
  const cell = release?.cells.find(({ space }) => space === 'sufficiency');
  const [sufficient, insufficient, contextual] = sufficiencyBands.map((band) => cell?.counts[band] ?? null);
  return {
    sufficiency: {
      ...{ sufficient: sufficient ?? null, insufficient: insufficient ?? null, contextual: contextual ?? null },
      suppressed: cell?.suppressed ?? true,
    },
    tiles: tiles.map((tile) => presentAggregate(tile, tileCell(release, tile.tileCode))),
  };
}
