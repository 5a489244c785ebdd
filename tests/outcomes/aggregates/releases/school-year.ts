// A school year of an organization made by chance: who is measured when, who moves, who is erased, and which school comes late.
// After each night everything is read by a person who may see no child.

import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { buildClass, buildSchool, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';
import { Attacker, type Place } from './attacker.ts';
import { buildSchools, buildStudents, type EvaluatedSchool, storeEvaluations, tiles } from './evaluated-schools.ts';
import { Reading } from './reader.ts';

const bands = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'];
/** With each the day on which some schools have measured, a later day, and the first night after it. */
const seasons = [
  ['2025-11-10T09:00:00.000Z', '2025-11-20T09:00:00.000Z', '2025-11-30T23:00:00.000Z'],
  ['2026-01-20T09:00:00.000Z', '2026-03-02T09:00:00.000Z', '2026-03-31T23:00:00.000Z'],
  ['2026-05-10T09:00:00.000Z', '2026-06-20T09:00:00.000Z', '2026-07-31T23:00:00.000Z'],
] as const;

export interface Lived {
  readonly organizationId: string;
  readonly attacker: Attacker;
  readonly places: readonly Place[];
}

/** `sizes`: of the classes of each school. Children of the last class of the third school are all in Below. */
export async function liveSchoolYear(
  app: TestApp,
  seed: number,
  sizes: readonly (readonly number[])[],
): Promise<Lived> {
  const year = new SchoolYear(app, seed);
  await year.begin(sizes);
  for (const [at, season] of seasons.entries()) {
    if (at === 1) await year.addSchool([6, 7, 5]);
    await year.season(season);
  }
  return year.lived();
}

class SchoolYear {
  readonly #app: TestApp;
  readonly #chance: () => number;
  readonly #attacker = new Attacker();
  #organizationId = '';
  #schools: EvaluatedSchool[] = [];
  #admin?: UserRow;

  constructor(app: TestApp, seed: number) {
    this.#app = app;
    this.#chance = seededNumbers(seed);
  }

  async begin(sizes: readonly (readonly number[])[]): Promise<void> {
    const { owner } = this.#app.database;
    const { organizationId, schools } = await buildSchools(owner, sizes);
    this.#organizationId = organizationId;
    this.#schools = [...schools];
    this.#admin = await buildUser(owner, 'ADMIN', { organizationId });
  }

  async addSchool(sizes: readonly number[]): Promise<void> {
    const { owner } = this.#app.database;
    const organizationId = this.#organizationId;
    const { id: schoolId } = await buildSchool(owner, {
      organizationId,
      createdAt: new Date('2025-12-08T06:00:00.000Z'),
    });
    const classes = [];
    for (const size of sizes) {
      const { id } = await buildClass(owner, { organizationId, schoolId, grade: 2 });
      classes.push({ id, schoolId, students: await buildStudents(owner, organizationId, id, size) });
    }
    this.#schools.push({ id: schoolId, classes });
  }

  /** Half of the schools measure all early, and are out; then children move and go, and the others measure some. */
  async season([early, late, firstNight]: (typeof seasons)[number]): Promise<void> {
    const isEarly = this.#schools.map(() => this.#chance() < 0.5);
    for (const [at, school] of this.#schools.entries()) if (isEarly[at]) await this.#measure(school, 1, early);
    await this.#night(`${early.slice(0, 10)}T23:00:00.000Z`);
    await this.#moveAndErase(`${late.slice(0, 10)}T06:00:00.000Z`);
    for (const [at, school] of this.#schools.entries()) await this.#measure(school, isEarly[at] ? 0.2 : 0.7, late);
    await this.#night(`${late.slice(0, 10)}T23:00:00.000Z`);
    await this.#night(firstNight);
    const after = new Date(Date.parse(firstNight) + 36 * 3_600_000).toISOString();
    for (const school of this.#schools) await this.#measure(school, 0.2, after);
    await this.#night(new Date(Date.parse(firstNight) + 48 * 3_600_000).toISOString());
  }

  lived(): Lived {
    const places = this.#schools.map(({ id, classes }) => ({
      id,
      classIds: classes.map((one) => String(one.id)),
      uncounted: classes.map(({ students }) => students.length).reduce((sum, size) => sum + (size < 5 ? size : 0), 0),
    }));
    return { organizationId: this.#organizationId, attacker: this.#attacker, places };
  }

  /** Most children of a class in few bands, which differ by tile. */
  async #measure({ classes }: EvaluatedSchool, share: number, at: string): Promise<void> {
    const third = this.#schools[2]?.classes.at(-1);
    const { owner } = this.#app.database;
    const here = new Set(await this.#presentStudents());
    for (const one of classes) {
      const weights = new Map(tiles.map(({ tileCode }) => [tileCode, bands.map(() => this.#chance() ** 2)] as const));
      const bandIn = (tileCode: string) => (one === third ? 'Below' : this.#drawn(weights.get(tileCode) ?? []));
      const evaluatedRows = one.students
        .filter((studentId) => here.has(studentId) && this.#chance() < share)
        .map((studentId) => ({
          ...{ studentId, sufficient: this.#chance() < 0.8 },
          bands: Object.fromEntries(tiles.map(({ tileCode }) => [tileCode, bandIn(tileCode)])),
        }));
      await storeEvaluations(owner, this.#organizationId, evaluatedRows, { at });
    }
  }

  #drawn(weights: readonly number[]): string {
    const drawn = this.#chance() * weights.reduce((sum, weight) => sum + weight, 0);
    const upTo = (place: number) => weights.slice(0, place + 1).reduce((sum, weight) => sum + weight, 0);
    return bands.find((_, place) => drawn < upTo(place)) ?? 'Meets';
  }

  async #presentStudents(): Promise<number[]> {
    const { owner } = this.#app.database;
    const rows = await owner('enrollment')
      .where({ organizationId: this.#organizationId, enrolledTo: null })
      .select('studentId');
    return rows.map(({ studentId }) => Number(studentId));
  }

  /** From the first school to the next, and out of the second; never out of classes that are small already. */
  async #moveAndErase(at: string): Promise<void> {
    const { owner } = this.#app.database;
    this.#app.clock.set(at);
    const [first, second] = this.#schools as [EvaluatedSchool, EvaluatedSchool];
    const here = new Set(await this.#presentStudents());
    const of = (school: EvaluatedSchool) => (school.classes[0]?.students ?? []).filter((id) => here.has(id));
    const [moved] = of(first).slice(-1);
    const classId = second.classes[0]?.id;
    await owner('enrollment').where({ organizationId: this.#organizationId, studentId: moved }).update({ classId });
    const token = await signIn(this.#app, this.#admin as UserRow);
    const [erased] = of(second);
    const { status } = await this.#app.post(`/api/students/${erased}/erasure`, undefined, { token });
    if (status !== 200) throw new Error(`erasure of ${erased}: ${status}`);
  }

  async #night(at: string): Promise<void> {
    const { services, clock } = this.#app;
    const organizationId = this.#organizationId;
    clock.set(at);
    const date = localDate(new Date(at), 'Asia/Riyadh');
    await rebuildOrganization(services, organizationId);
    await nightlyRelease(services, { organizationId, date });
    // One who asked so much every day would be asked to wait.
    const token = await signIn(this.#app, await buildUser(this.#app.database.owner, 'MANAGER', { organizationId }));
    const schoolIds = this.#schools.map(({ id }) => id);
    const classIds = this.#schools.flatMap(({ classes }) => classes.map(({ id }) => id));
    const reading = new Reading((path) => this.#app.get(path, { token }));
    this.#attacker.hear(await reading.everything({ organizationId, schoolIds, classIds, date }));
  }
}
