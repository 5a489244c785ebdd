// A live lesson with many concurrent clients and random actions: in any order, the events are a course that the model allows,
// and every accepted answer is stored.
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Random, seededRandom } from '../../contract/requests/random.ts';
import type { Reply } from '../../harness/fetch.ts';
import { answerTo, itemRefs, type Json, type Lesson, type Person, useLessons } from './lesson.ts';
import { type LoggedEvent, replayed } from './model.ts';

const { lesson } = useLessons(test);
const studentSteps = 8;
const teacherSteps = 16;

interface CommitResult {
  readonly accepted: number;
  readonly duplicates: number;
}

/** Refusals are no failures: they depend on the order of concurrent requests. */
function expected(reply: Reply, ...statuses: readonly number[]): Reply {
  assert.ok(statuses.includes(reply.status), `${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

interface ReceivedEvents {
  readonly taken: CommitResult[];
  readonly events: Json[];
  cursor: string | undefined;
}

async function studentPlays(at: Lesson, student: Person, random: Random): Promise<ReceivedEvents> {
  const received: ReceivedEvents = { taken: [], events: [], cursor: '0' };
  const sent: Json[] = [];
  for (let step = 0; step < studentSteps; step += 1) {
    const { body } = expected(await at.look(`/poll?cursor=${received.cursor}`, student), 200) as Reply<Json>;
    received.cursor = String(body.cursor);
    received.events.push(...(body.events as Json[]));
    const shown = (body.ismItem ?? body.currentItem) as Json | null;
    const itemRef = random.below(4) > 0 && shown ? String(shown.itemRef) : random.pick(itemRefs);
    const batch = [answerTo(itemRef, random.below(2) === 0), ...(random.below(3) === 0 ? sent.slice(-2) : [])];
    const twice = await Promise.all([at.answer(student, ...batch), at.answer(student, ...batch)]);
    for (const reply of twice) if (expected(reply, 201, 409).status === 201) received.taken.push(reply.body as never);
    if (twice.some(({ status }) => status === 201)) sent.push(...batch.slice(0, 1));
  }
  return received;
}

const plays: readonly ((at: Lesson, random: Random) => Promise<readonly Reply<Json>[]>)[] = [
  async (at, random) => [await at.control(random.pick(['next', 'previous', 'lock', 'unlock', 'lock', 'unlock']))],
  async (at, random) => [await at.control('goto', { itemRef: random.pick(itemRefs) })],
  async (at) => [await at.control('pause'), await at.control('resume')],
  async (at, random) => [await at.teach('/ism-run', { studentId: random.pick(at.students).id })],
  async (at, random) => {
    const { id: studentId } = random.pick(at.students);
    const observation = { clientObservationId: randomUUID(), studentId, observationCode: 'self_corrected' };
    return Promise.all([1, 2].map(() => at.teach('/observation', { observations: [observation] })));
  },
];

/** Two devices of a teacher act with the same version; at most one moves the lesson on. */
async function race(at: Lesson): Promise<void> {
  const { controlVersion: expectedVersion } = (await at.look()).body;
  const replies = await Promise.all(['lock', 'unlock'].map((action) => at.control(action, { expectedVersion })));
  assert.ok(replies.filter(({ status }) => status === 200).length <= 1, 'both moved on from one version');
}

/** Commits twice, with equal results, and returns the number of committed answers. */
async function project(at: Lesson, random: Random): Promise<number> {
  const seats = at.students.slice(0, 3).map(({ id: studentId }, place) => ({ seatNo: place + 1, studentId }));
  const setup = expected(await at.teach('/personalized-projector/setup', { seats }), 201, 409) as Reply<Json>;
  if (setup.status !== 201) return 0;
  const { projectorRunId, display } = setup.body;
  const marks = (display as Json[]).map(({ seatNo }) => ({ seatNo, mark: random.pick(['correct', 'no_answer']) }));
  if (marks.length > 0) expected(await at.teach('/personalized-projector/mark', { projectorRunId, marks }), 200, 409);
  const commits = await Promise.all(
    [1, 2, 3].map(() => at.teach('/personalized-projector/commit', { projectorRunId })),
  );
  const [first, ...again] = commits.map((reply) => expected(reply, 200, 409).body as Json);
  for (const one of again) assert.equal(one, first);
  return Number(first?.committed ?? 0);
}

async function teacherPlays(at: Lesson, random: Random) {
  const versions: number[] = [];
  let committed = 0;
  for (let step = 0; step < teacherSteps; step += 1) {
    const replies = await random.pick(plays)(at, random);
    for (const { body } of replies.map((reply) => expected(reply, 200, 201, 409) as Reply<Json>)) {
      if (typeof body.controlVersion === 'number') versions.push(body.controlVersion);
    }
    if (step % 8 === 3) await race(at);
    if (step % 8 === 7) committed += await project(at, random);
  }
  return { versions, committed };
}

async function allEvents(at: Lesson): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let cursor: unknown = null;
  do {
    const { body }: Reply<Json> = await at.look(`/events?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`);
    events.push(...(body.items as unknown as LoggedEvent[]));
    cursor = body.nextCursor;
  } while (cursor !== null);
  return events;
}

const kinds: readonly unknown[] = ['state_changed', 'item_changed', 'lock_changed', 'group_changed', 'ism_changed'];

/** The student received the events for all and their own, of five types, in order, once, and without data. */
async function assertReceivedAll(at: Lesson, student: Person, received: ReceivedEvents | undefined): Promise<void> {
  const rest = expected(await at.look(`/poll?cursor=${received?.cursor}`, student), 200) as Reply<Json>;
  const all = [...(received?.events ?? []), ...(rest.body.events as Json[])];
  for (const { type, data, ...more } of all) {
    assert.ok(kinds.includes(type), String(type));
    assert.equal([data, Object.keys(more).sort()], [{}, ['at', 'seq']]);
  }
  const meant = (await at.rows('live_event', 'seq')).filter(
    ({ type, studentId }) => kinds.includes(type) && (studentId === null || studentId === student.id),
  );
  assert.equal(
    all.map(({ seq }) => seq),
    meant.map(({ seq }) => seq),
  );
}

test('many concurrent clients: gapless events, first answers, none after a lock, one commit, increasing versions', async () => {
  const seed = randomInt(2 ** 31);
  const at = await lesson({ students: 5 });
  const randoms = Array.from({ length: 6 }, (_, part) => seededRandom(seed + part));
  const random = (part: number) => randoms[part] as Random;
  const [course, ...received] = await Promise.all([
    teacherPlays(at, random(5)),
    ...at.students.map((student, part) => studentPlays(at, student, random(part))),
  ]);
  expected(await at.control('end'), 200);

  const events = await allEvents(at);
  assert.equal(
    events.map(({ seq }) => seq),
    events.map((_, place) => place + 1),
    `seed ${seed}`,
  );
  const model = replayed(events);
  const { body } = await at.look();
  assert.equal([body.state, body.currentItemRef, body.responsesLocked], [model.state, model.itemRef, model.locked]);
  const stored = await at.rows('live_response', 'ledgerNo');
  assert.equal(stored.map(({ studentId, itemRef }) => `${studentId} ${itemRef}`).sort(), [...model.answered].sort());
  const taken = received.flatMap((one) => one.taken.map(({ accepted }) => accepted)).reduce((sum, one) => sum + one, 0);
  assert.is(stored.filter(({ source }) => source !== 'projector').length, taken, 'accepted answers are stored once');
  assert.is(stored.filter(({ source }) => source === 'projector').length, course.committed);
  assert.equal(
    course.versions,
    course.versions.toSorted((one, other) => one - other),
  );
  assert.is(new Set(course.versions).size, course.versions.length);
  assert.ok(taken > 0 && course.versions.length > 0, 'something happened');
  for (const [part, student] of at.students.entries()) await assertReceivedAll(at, student, received[part]);
});

test.run();
