// Responses to students contain no score, theta, status or answer key. Checked in the schemas of every operation that a
// student may call, and in the responses of a diagnostic, a practice queue and a warm-up.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { skillStatuses } from '#assessment/skill-status/engine/vocabulary.ts';
import { child } from '../../assessment/measurement/diagnostics/child.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { shippedCheck } from '../../rules/language/sets.ts';
import { contentNames, isArabic, leaves } from './leaves.ts';

const test = suite('what a student can receive');
const app = useApp(test);
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

const forbiddenNames =
  /^(theta|newTheta|se|newSE|score|correct|correctIndex|difficulty|microPattern|errorFamily|designedPatterns|subSkillCode|subSkillId|domainCode|tileCode|severePath|verdict|wcpm|accuracy|selectionTier|estimates|stemGroup)$/;
const forbiddenWords = new Set<string>([...skillStatuses, 'Below', 'Severe', 'Approaching', 'severe', 'below']);

const studentRoutes = allRoutes().filter(({ allow }) => {
  if (allow === 'public') return false;
  return allow === 'signed in' || ('allOf' in allow ? allow.allOf : allow).includes('TAKE_DIAGNOSTIC');
});

const check = shippedCheck('student');
function assertHarmless(value: unknown, where: string): void {
  for (const { name, text } of leaves(value)) {
    if (text !== undefined && isArabic(text) && !contentNames.test(name)) {
      assert.equal(check(text, 'student').violations, [], `${where} says ${text}`);
    }
    assert.not.match(name, forbiddenNames, `${where} shows ${name}`);
    assert.not(text !== undefined && forbiddenWords.has(text), `${where} says ${text}`);
  }
}

test('there are operations to check', () => {
  assert.ok(studentRoutes.length >= 15);
});

for (const route of studentRoutes) {
  test(`${route.operation}: its response schema has no property for a result`, () => {
    assertHarmless(JSON.parse(JSON.stringify(route.answers)), route.operation);
  });
}

test('a diagnostic, a practice queue and a warm-up reveal no result to the student', async () => {
  const student = world.own.people.STUDENT;
  const options = { token: student.token };
  const kid = child(app, student);
  const started = await kid.start();
  const { sessionId } = started.body;
  assertHarmless(started.body, 'start');
  for (let asked = 0; asked < 40; asked++) {
    const { body } = await kid.next(sessionId);
    assertHarmless(body, 'next-item');
    if (!body.served) break;
    app.clock.advance(2000);
    const response = { servedItemId: body.served.servedItemId, selectedOptionIndex: asked % 2, latencyMs: 2000 };
    assertHarmless((await kid.answer(sessionId, response)).body, 'responses');
  }
  assertHarmless((await kid.finish(sessionId)).body, 'finish');
  const seeded = await app.post(`/api/practice/queues/seed/${sessionId}`, {}, options);
  assert.ok(seeded.status === 201, 'practice starts');
  assertHarmless(seeded.body, 'seed');
  const served = await app.post<{ served: { servedItemId: string } | null }>(
    '/api/practice/queues/current/next-item',
    {},
    options,
  );
  assertHarmless(served.body, 'practice next-item');
  assert.ok(served.body.served);
  const practised = { servedItemId: served.body.served?.servedItemId, selectedOptionIndex: 0, latencyMs: 1000 };
  assertHarmless((await app.post('/api/practice/queues/current/submit-response', practised, options)).body, 'practice');
  const warmup = await app.post('/api/warmup/sessions', { sessionType: 'TRAINING' }, options);
  assert.is(warmup.status, 201);
  assertHarmless(warmup.body, 'warm-up');
  assertHarmless((await app.get('/api/auth/me', options)).body, 'me');
});

test.run();
