// Everything that a manager can read of an organization, in every way in which it can be asked for, kept as plain statements:
// which numbers were published of which unit, in which season and space.
import type { Reply } from '../../../harness/fetch.ts';
import type { Row } from '../engine/ranges.ts';
import { tiles } from './evaluated-schools.ts';

/** Numbers of a unit, and of how many children they are. */
export interface Reported {
  /** Season, statistic and subject. */
  readonly about: string;
  /** Empty: the organization. */
  readonly unit: string;
  readonly students: number;
  readonly row: Row;
}

/** A sum of bands that was published as a share. */
interface ReportedShare extends Omit<Reported, 'row'> {
  readonly bands: readonly string[];
  readonly value: number | null;
}

/** Of the children of a school, how many were not measured in the season that ran. */
interface Unmeasured {
  readonly schoolId: string;
  readonly season: string;
  readonly count: number;
}

interface Head {
  readonly release: { readonly schoolYear: string; readonly season: string } | null;
}
interface Tile {
  readonly tileCode: string;
  readonly students: number;
  readonly counts: Row;
}
interface Squares extends Head {
  readonly students: number;
  readonly counts: Row;
  readonly withoutSquare: number | null;
}
interface Overview extends Head {
  readonly students: number;
  readonly coverage: { readonly season: string; readonly measured: number };
  readonly tiles: readonly Tile[];
  readonly sufficiency?: Readonly<Record<'sufficient' | 'insufficient' | 'contextual', number | null>>;
  readonly squares?: Squares;
}
interface Heatmap extends Head {
  readonly rows: readonly { readonly classId: number; readonly students: number; readonly cells: readonly Tile[] }[];
}
interface Comparisons extends Head {
  readonly items: readonly { readonly schoolId: string; readonly students: number; readonly value: number | null }[];
}
interface Effect extends Head {
  readonly students: number;
  readonly cells: readonly { completionResult: string; gate: string; students: number | null }[];
  readonly withoutCompletion: number | null;
}
interface Trends {
  readonly points: readonly { readonly schoolYear: string; readonly season: string; readonly tiles: readonly Tile[] }[];
}
interface Summary extends Head {
  readonly macroTiles: readonly Tile[];
}

export interface Asked {
  readonly organizationId: string;
  readonly schoolIds: readonly string[];
  readonly classIds: readonly number[];
  /** The local date on which requested spans end. */
  readonly date: string;
}

const bundleId = 'BND-DECODE-01';
const seasonOf = ({ release }: Head) => (release ? `${release.schoolYear} ${release.season}` : undefined);

type Get = <Body>(path: string) => Promise<Reply<Body>>;

export class Reading {
  readonly told: Reported[] = [];
  readonly shares: ReportedShare[] = [];
  readonly unmeasured: Unmeasured[] = [];
  /** Children of a class, today. */
  readonly sizes = new Map<string, number>();
  readonly #get: Get;

  constructor(get: Get) {
    this.#get = get;
  }

  async everything({ organizationId, schoolIds, classIds, date }: Asked): Promise<this> {
    for (const id of schoolIds) await this.#school(id);
    for (const id of classIds) {
      const summary = await this.#read<Summary>(`/api/reports/classes/${id}/class-summary?audience=manager`);
      this.#tiles(summary, String(id), summary.macroTiles);
    }
    await this.#organization(`/api/orgs/${organizationId}`, date);
    return this;
  }

  async #school(id: string): Promise<void> {
    const path = `/api/principal/schools/${id}`;
    this.#overview(id, await this.#read<Overview>(`${path}/overview`));
    const overview = await this.#read<Overview>(`${path}/overview?squares=true`);
    this.#overview(id, overview);
    const { sufficient = null, insufficient = null, contextual = null } = overview.sufficiency ?? {};
    const students = Math.max(...overview.tiles.map((tile) => tile.students));
    this.#note(overview, id, { space: 'sufficiency', students, row: { sufficient, insufficient, contextual } });
    const { season, measured } = overview.coverage;
    this.unmeasured.push({ schoolId: id, season, count: overview.students - measured });
    const heatmap = await this.#read<Heatmap>(`${path}/heatmap`);
    for (const row of heatmap.rows) {
      this.#tiles(heatmap, String(row.classId), row.cells);
      this.sizes.set(String(row.classId), row.students);
    }
    this.#effect(id, await this.#read<Effect>(`/api/bundles/${bundleId}/effect?schoolId=${id}`));
  }

  async #organization(path: string, date: string): Promise<void> {
    this.#overview('', await this.#read<Overview>(`${path}/overview?squares=true`));
    this.#effect('', await this.#read<Effect>(`/api/bundles/${bundleId}/effect`));
    for (const span of ['', `?from=2024-08-01&to=${date}`, `?from=2025-10-01&to=${date}&interval=season`])
      for (const point of (await this.#read<Trends>(`${path}/trends${span}`)).points)
        this.#tiles({ release: point }, '', point.tiles);
    for (const { tileCode } of tiles)
      for (const [metric, bands] of Object.entries({ meets_share: ['Meets'], support_share: ['Below', 'Severe'] })) {
        const found = await this.#read<Comparisons>(`${path}/comparisons?metric=${metric}&tileCode=${tileCode}`);
        const about = `${seasonOf(found)} tile ${tileCode}`;
        for (const { schoolId: unit, students, value } of found.items)
          this.shares.push({ about, unit, students, bands, value });
      }
  }

  #overview(unit: string, overview: Overview): void {
    this.#tiles(overview, unit, overview.tiles);
    const { squares } = overview;
    if (!squares) return;
    const row = { ...squares.counts, none: squares.withoutSquare };
    this.#note(squares, unit, { space: 'square', students: squares.students, row });
  }

  #effect(unit: string, effect: Effect): void {
    const cells = effect.cells.map((cell) => [`${cell.completionResult}_${cell.gate}`, cell.students] as const);
    const row = { ...Object.fromEntries(cells), none: effect.withoutCompletion };
    this.#note(effect, unit, { space: `bundle_effect ${bundleId}`, students: effect.students, row });
  }

  #tiles(head: Head, unit: string, own: readonly Tile[]): void {
    for (const { tileCode, students, counts: row } of own)
      this.#note(head, unit, { space: `tile ${tileCode}`, students, row });
  }

  #note(
    head: Head,
    unit: string,
    { space, ...reported }: Omit<Reported, 'about' | 'unit'> & { readonly space: string },
  ): void {
    const season = seasonOf(head);
    if (season) this.told.push({ about: `${season} ${space}`, unit, ...reported });
  }

  async #read<Body>(path: string): Promise<Body> {
    const { status, body } = await this.#get<Body>(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}
