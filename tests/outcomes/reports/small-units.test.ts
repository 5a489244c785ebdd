// A class of four and a school with one class, through the night's publisher, the worker and HTTP: managers and boards are
// learns nothing of four children, and of a school with one class only what is shown of the class.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { runReport } from '#messaging/documents/runs/run.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { readsPages, textOf } from '../../core/platform/pdf/pdf-text.ts';
import { buildTeacher, buildUser, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import {
  buildSchools,
  type EvaluatedClass,
  type EvaluatedSchool,
  storeEvaluations,
} from '../aggregates/releases/evaluated-schools.ts';

const app = useApp(test, { rules: true });
const { clock, services } = app;
const { owner } = app.database;

const inAutumn = '2025-11-20T09:00:00.000Z';
/** Two o'clock in Riyadh, in the first night after the season. */
const firstNight = '2025-11-30T23:00:00.000Z';

interface Aggregate {
  readonly tileCode: string;
  readonly students: number;
  readonly counts: Readonly<Record<string, number | null>>;
  readonly suppressed: boolean;
}

let organizationId: string;
let small: EvaluatedClass;
let beside: EvaluatedClass;
let single: EvaluatedSchool;
let manager: string;

test.before(async () => {
  const built = await buildSchools(owner, [[20, 4], [20]]);
  ({ organizationId } = built);
  const [first, second] = built.schools as [EvaluatedSchool, EvaluatedSchool];
  [beside, small] = first.classes as [EvaluatedClass, EvaluatedClass];
  single = second;
  const students = built.schools.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const bands = (at: number) => (at % 2 === 0 ? 'Meets' : 'Below');
  const evaluations = students.map((studentId, at) => ({ studentId, bands: bands(at), sufficient: true }));
  await storeEvaluations(owner, organizationId, evaluations, { at: inAutumn });
  clock.set(firstNight);
  await rebuildOrganization(services, organizationId);
  await nightlyRelease(services, { organizationId, date: localDate(new Date(firstNight), 'Asia/Riyadh') });
  manager = await signIn(app, await buildUser(owner, 'MANAGER', { organizationId }));
});

async function read<T>(path: string): Promise<T> {
  const { status, body } = await app.get<T>(path, { token: manager });
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

const summary = (classId: number) =>
  read<{ basis: string; release: object | null; macroTiles: Aggregate[] }>(
    `/api/reports/classes/${classId}/class-summary?audience=manager`,
  );

const isHidden = ({ counts }: Aggregate) => Object.values(counts).every((count) => count === null);

test('of a class of four a manager reads no count, and finds none by taking the rest from the whole', async () => {
  const { basis, release, macroTiles } = await summary(small.id);
  assert.is(basis, 'released');
  assert.ok(release !== null);
  assert.ok(macroTiles.length === 6 && macroTiles.every((tile) => tile.suppressed && isHidden(tile)));
  const school = await read<{ tiles: Aggregate[] }>(`/api/principal/schools/${small.schoolId}/overview`);
  const other = await summary(beside.id);
  for (const [at, tile] of school.tiles.entries()) {
    assert.equal(tile.counts, other.macroTiles[at]?.counts, 'the school counts no one of the small class');
    assert.is(tile.students, other.macroTiles[at]?.students);
  }
});

test('a heatmap has a row for the class of four, without a count', async () => {
  const { rows } = await read<{ rows: { classId: number; cells: Aggregate[] }[] }>(
    `/api/principal/schools/${small.schoolId}/heatmap`,
  );
  assert.equal(rows.map(({ classId }) => classId).toSorted(), [beside.id, small.id].toSorted());
  const cells = rows.find(({ classId }) => classId === small.id)?.cells ?? [];
  assert.ok(cells.length === 6 && cells.every(isHidden));
});

test('a school with one class has the cells of its class', async () => {
  const [only] = single.classes as [EvaluatedClass];
  const school = await read<{ classes: number; tiles: Aggregate[] }>(`/api/principal/schools/${single.id}/overview`);
  const { macroTiles } = await summary(only.id);
  assert.is(school.classes, 1);
  for (const [at, tile] of school.tiles.entries()) {
    assert.equal(tile.counts, macroTiles[at]?.counts);
    const [meets, below] = [tile.counts.Meets, tile.counts.Below];
    assert.equal([meets, below], tile.students === 0 ? [meets, below] : [10, 10]);
  }
});

readsPages(test)('the board reads of forty children, the teacher of four all that is known of them', async () => {
  const jobOf = async (path: string, token: string) => {
    const { status, body } = await app.post<{ jobId: string }>(path, {}, { token });
    assert.is(status, 202, JSON.stringify(body));
    await runReport(services, { organizationId, id: body.jobId });
    return textOf((await owner('report_file').where({ jobId: body.jobId }).first()).bytes);
  };
  const board = await jobOf(`/api/reports/orgs/${organizationId}/board-pdf`, manager);
  assert.ok(board.includes('عدد الطلبة: 40'), board.slice(0, 600));
  const teacher = await signIn(app, await buildTeacher(owner, { ...small, organizationId }));
  const own = await jobOf(`/api/reports/classes/${small.id}/pdf`, teacher);
  assert.ok(own.includes('عدد الطلبة: 4'), own.slice(0, 600));
});

test.run();
