// Several windows of one student, read together: each contains exactly what it contains when it is read alone.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { practiceEvidence } from '#assessment/measurement/evidence/practice.ts';
import type { EvidenceReader, StudentSession } from '#assessment/measurement/evidence/reader.ts';
import { joinedWindows, readFor, type StudentWindow } from '#assessment/measurement/evidence/windows.ts';
import { pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import { inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { teacher, timeUp } from '../fluency/teacher.ts';
import { practisingChild } from '../practice/practising.ts';

const app = useApp(test);
const { services } = app;
const readers = capabilities.flatMap(({ evidenceReaders = [] }) => evidenceReaders);
let world: World;
/** The instants of each student at which an item was answered or a session ended. */
const moments = new Map<number, number[]>();

test.before(async () => {
  world = await buildWorld(app);
  for (let child = 0; child < 2; child++) {
    const kid = await practisingChild(app, world.own);
    const own: number[] = [];
    moments.set(kid.user.id, own);
    const note = () => own.push(app.clock.now().getTime());
    await kid.seed(await kid.finishDiagnostic());
    note();
    for (let answer = 0; answer < 3; answer++) {
      await kid.step();
      note();
    }
    await kid.passOver();
    note();
    await kid.step();
    note();
    await kid.passOver();
    note();
    app.clock.advance(60_000);
    const hands = teacher(app, world.own.people.TEACHER);
    const { assessmentId } = (await hands.start({ studentId: kid.user.id })).body;
    assert.is((await hands.stop(assessmentId, timeUp(20))).status, 200);
    note();
    app.clock.advance(60_000);
  }
});

/** Windows around each moment, with the millisecond before and after it: that instant, up to it, and from it. */
function windowsOf([studentId, ended]: [number, readonly number[]]): StudentWindow[] {
  const instants = ended.flatMap((ms) => [ms - 1, ms, ms + 1]).map((ms) => new Date(ms).toISOString());
  const [first = '', last = ''] = [instants[0], instants.at(-1)];
  return instants.flatMap((at) => {
    return [
      { studentId, from: at, to: at },
      { studentId, from: first, to: at },
      { studentId, from: at, to: last },
    ];
  });
}

function read(reader: EvidenceReader, students: readonly StudentWindow[], fromResponses: boolean) {
  const { organizationId } = world.own;
  return inContext(services.db, { organizationId }, async (trx): Promise<StudentSession[][]> => {
    const { rules } = await services.rules.at(trx, app.clock.now());
    const sessionsOf = await reader(trx, { organizationId, students, itemBanks: services.itemBanks, fromResponses });
    return students.map((window) => sessionsOf(window, pipelineOf(rules)));
  });
}

/**
 * For each source, in the order of the readers: a student's sessions that ended in a window, counted by the database.
 */
const counts = [
  `select count(*)::integer as count from diagnostic_session
   where student_id = :studentId and status = 'FINISHED' and finished_at between :from and :to`,
  `select count(*)::integer as count from practice_queue q where student_id = :studentId and :from <=
     (select max(received_at) from practice_response r where r.queue_id = q.id and not r.skipped and r.received_at <= :to)`,
  `select count(*)::integer as count from orf_assessment
   where student_id = :studentId and status = 'SCORED' and stopped_at between :from and :to`,
];

async function countsIn(windows: readonly StudentWindow[], sql: string): Promise<number[]> {
  const found: number[] = [];
  for (const window of windows) {
    const [row] = await rowsOf<{ count: number }>(app.database.owner, sql, { ...window });
    found.push(row?.count ?? -1);
  }
  return found;
}

test('each reader of evidence is tried here', () => {
  assert.is(readers.length, counts.length);
});

for (const [at, reader] of readers.entries()) {
  for (const fromResponses of [false, true]) {
    const name = `${reader.name}${fromResponses ? ', from responses' : ''}`;
    test(`${name}: windows read together contain what each contains alone`, async () => {
      const windows = [...moments].flatMap(windowsOf);
      const together = await read(reader, windows, fromResponses);
      const alone: StudentSession[][] = [];
      for (const window of windows) alone.push((await read(reader, [window], fromResponses)).flat());
      assert.equal(together, alone);
      const held = together.map((sessions) => sessions.length);
      assert.equal(held, await countsIn(windows, counts[at] ?? ''));
      assert.equal([...new Set(held)].sort(), [0, 1]);
    });
  }
}

test('practice: the items of a queue in a window were answered or skipped in it', async () => {
  const windows = [...moments].flatMap(windowsOf);
  const held = (await read(practiceEvidence, windows, false)).flatMap((sessions, at) =>
    sessions.map(({ responses }) => ({ window: windows[at], responses: responses.length })),
  );
  const received = `select count(*)::integer as count from practice_queue q join practice_response r on r.queue_id = q.id
     where q.student_id = :studentId and r.received_at between :from and :to`;
  const counted = await countsIn(
    held.flatMap(({ window }) => window ?? []),
    received,
  );
  assert.equal(
    held.map(({ responses }) => responses),
    counted,
  );
  assert.equal([...new Set(counted)].sort(), [1, 2, 3, 4, 5, 6]);
});

test('a window that was not requested throws instead of being empty', () => {
  const window = { studentId: 1, from: '2025-10-02T00:00:00.000Z', to: '2025-10-04T00:00:00.000Z' };
  const rowsIn = readFor([window], []);
  assert.equal(rowsIn(window), []);
  assert.throws(
    () => rowsIn({ ...window, studentId: 2 }),
    (error: unknown) => error instanceof RangeError,
  );
});

test('joined: one window per student, from the earliest start to the latest end, for all formats of instants', () => {
  const day = (studentId: number, from: string, to: string) => ({ studentId, from, to });
  assert.equal(
    joinedWindows([
      day(1, '2025-10-02T00:00:00.000Z', '2025-10-04T00:00:00.000Z'),
      day(2, '2025-10-01T00:00:00.000Z', '2025-10-02T00:00:00.000Z'),
      day(1, '2025-10-02T01:00:00+03:00', '2025-10-03T00:00:00.000Z'),
      day(1, '2025-10-03T00:00:00.000Z', '2025-10-04T02:00:00+01:00'),
    ]),
    [
      day(1, '2025-10-02T01:00:00+03:00', '2025-10-04T02:00:00+01:00'),
      day(2, '2025-10-01T00:00:00.000Z', '2025-10-02T00:00:00.000Z'),
    ],
  );
});

test.run();
