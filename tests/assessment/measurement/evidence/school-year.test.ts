// A queue across the start of a school year: each year has the answers given in it, and a skipped item is no answer.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StudentSession } from '#assessment/measurement/evidence/reader.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { practisingChild, wrong } from '../practice/practising.ts';
import { practiceIn } from './practice-in.ts';

const app = useApp(test);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const lastYear = '2025-08-01T00:00:00.000Z';
const thisYear = '2026-08-01T00:00:00.000Z';
const now = () => app.clock.now().toISOString();
const inAugust = () => app.clock.set('2026-08-20T08:00:00.000Z');

async function startedInJuly() {
  app.clock.set('2026-07-20T08:00:00.000Z');
  const kid = await practisingChild(app, world.own);
  await kid.seed(await kid.finishDiagnostic());
  return kid;
}

type Kid = Awaited<ReturnType<typeof startedInJuly>>;
const since = ({ user }: Kid, from: string): Promise<StudentSession[]> =>
  practiceIn(app, { studentId: user.id, from, to: now() }, world.own.organizationId);

const answeredIn = (sessions: readonly StudentSession[]) =>
  sessions.map(({ responses }) => responses.map(({ answered }) => answered));

interface Status {
  readonly items: readonly { readonly outcome: string; readonly evidence: { readonly distinctItems: number } }[];
}

/** Returns the statuses of the sub-skills with evidence. */
async function assessed({ user }: Kid) {
  await recomputeStudents(app.services, world.own.organizationId, [user.id], 'admin');
  const token = await signIn(app, world.own.people.TEACHER);
  const { body } = await app.get<Status>(`/api/sse/students/${user.id}/skill-status`, { token });
  return body.items.filter(({ outcome }) => outcome !== 'not_assessed').map(({ evidence }) => evidence.distinctItems);
}

test('an item skipped in August leaves the new year without assessments, and is in none of its windows', async () => {
  const kid = await startedInJuly();
  for (let done = 0; done < 12; done++) await kid.step(wrong, 5000);
  assert.equal(await assessed(kid), [8, 8, 8]);
  const answeredAt = now();
  inAugust();
  await kid.passOver();
  assert.equal(await since(kid, thisYear), []);
  const [session] = await since(kid, lastYear);
  assert.is(session?.session.endedAt, answeredAt);
  assert.is(session?.responses.length, 13);
  assert.equal(await assessed(kid), []);
});

test('an answer in August counts, those of July do not, skipped ones neither', async () => {
  const kid = await startedInJuly();
  for (let done = 0; done < 5; done++) await kid.step(wrong, 5000);
  await kid.passOver();
  inAugust();
  await kid.step(wrong, 5000);
  const answeredAt = now();
  await kid.passOver();
  const sessions = await since(kid, thisYear);
  assert.equal(answeredIn(sessions), [[true, false]]);
  assert.is(sessions[0]?.session.endedAt, answeredAt);
  assert.is(sessions[0]?.provisionalSubSkills.length, 2);
  assert.equal(await assessed(kid), [1, 0]);
});

test('a queue with skipped items only counts as tried at its last skip', async () => {
  const kid = await startedInJuly();
  await kid.passOver();
  assert.equal(answeredIn(await since(kid, lastYear)), [[false]]);
  inAugust();
  assert.equal(await since(kid, thisYear), []);
  await kid.passOver();
  const sessions = await since(kid, thisYear);
  assert.equal(answeredIn(sessions), [[false]]);
  assert.is(sessions[0]?.session.endedAt, now());
  assert.equal(await assessed(kid), [0]);
});

test('marks of doubtful effort stay with their answers when a window begins within the queue', async () => {
  const kid = await startedInJuly();
  /** Rapid at even numbers. */
  const step = (seq: number) => kid.step(wrong, seq % 2 === 0 ? 300 : 6000);
  for (let seq = 1; seq <= 7; seq++) await step(seq);
  inAugust();
  for (let seq = 8; seq <= 14; seq++) await step(seq);
  const marks = async () => (await since(kid, thisYear))[0]?.responses.map(({ behaviourMark }) => behaviourMark);
  const all = (await since(kid, lastYear))[0]?.responses.map(({ behaviourMark }) => behaviourMark);
  assert.equal(all?.slice(0, 4), [false, true, false, true]);
  assert.equal(await marks(), all?.slice(7), 'made from the answers so far');
  await step(15);
  const [log] = await app.database.owner('rbm_log').where({ source: 'practice', studentId: kid.user.id });
  const logged = (await marks())?.flatMap((mark, at) => (mark ? [at + 8] : []));
  assert.equal(
    logged,
    log.markedSeqs.filter((seq: number) => seq >= 8),
    'of the log',
  );
});

test.run();
