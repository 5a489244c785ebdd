// timeout: 240s
// What lies in memory and how it stays true: late commits, classes, counts that go on, newer questions, the memory.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulation } from '#assessment/skill-status/index.ts';
import { EvidencePacker } from '#backoffice/workbench/live/engine/packed-evidence.ts';
import type { LiveQuestion } from '#backoffice/workbench/live/question.ts';
import { LiveTasks } from '#backoffice/workbench/live/thread/tasks.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { documentName, type RuleBundle } from '#rules/rulesets/index.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildPlace, january, multiply, type Place, weakGatewaysNoLonger } from '../impact/world.ts';

const test = suite('live impact: the index');
const shell = useShell(test);
const { owner } = shell.app.database;
const students = 1_200;
let place: Place;
let rules: RuleBundle;

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 4, 3);
  await multiply(owner, place.organizationId, students - place.studentIds.length);
  rules = (await shell.services.rules.at(shell.services.db, shell.app.clock.now())).rules;
});

const all = { number: 0, count: 1 };
const held = (elapsedMs = () => 0, mostBytes = 2 ** 27) =>
  new LiveTasks(shell.services, { part: all, mostBytes }, elapsedMs);

const questionOf = (parts: Partial<LiveQuestion> = {}): LiveQuestion => ({
  ...{ scope: { organizationId: place.organizationId }, organizations: [place.organizationId] },
  ...{ before: rules.versions, now: january(10), questionId: 'one', userId: 1, students: null },
  ...{ texts: [canonicalJson(weakGatewaysNoLonger())], maxMs: 60_000, ...parts },
});

test('a count goes on where it ended, and a newer question of the same person ends an older one', async () => {
  const tasks = held();
  const whole = await tasks.count(questionOf({ questionId: 'whole' }));
  assert.equal([whole.isLoaded, whole.of, whole.seen], [true, students, students]);
  const older = tasks.count(questionOf({ questionId: 'older' }));
  const newer = await tasks.count(questionOf({ questionId: 'newer' }));
  const ended = await older;
  assert.ok(ended.seen > 0 && ended.seen < ended.of, `${ended.seen} of ${ended.of}`);
  assert.equal([newer.seen, newer.position.changed], [students, whole.position.changed]);
  const other = await tasks.count(questionOf({ questionId: 'older', userId: 2 }));
  assert.equal([other.seen, other.position.changed], [students, whole.position.changed]);
  assert.equal(other.position.hits, whole.position.hits);
  assert.equal(other.regions, whole.regions);
});

/** As if a job had written a run: the newest run of one student becomes that of another. */
async function copyRun(trx: Trx, from: number, to: number): Promise<void> {
  const row = await trx('sse_run').where({ studentId: from }).orderBy('seq', 'desc').first();
  const { seq: _seq, ...run } = row;
  const id = `d${String(to).padStart(23, '0')}`;
  const json = Object.fromEntries(['input', 'tiles', 'ruleVersions'].map((name) => [name, JSON.stringify(run[name])]));
  await trx('sse_run').insert({ ...run, ...json, id, studentId: to });
}

const seal = (db: Db) =>
  inContext(db, 'SUPER', async (trx) => {
    const row: { newest?: number } | undefined = await trx('sse_run').max({ newest: 'seq' }).first();
    await trx('ledger_mark')
      .insert({ tableName: 'sse_run', sealed: row?.newest ?? 0 })
      .onConflict('tableName')
      .merge();
  });

test('a run that commits after one with a higher number is not missed', async () => {
  const tasks = held();
  const ids: { id: number }[] = await inContext(owner, 'SUPER', (trx) =>
    trx('app_user').insert(
      [1, 2].map(() => ({
        ...{ organizationId: place.organizationId, scope: 'ORGANIZATION', primaryPersona: 'STUDENT' },
        createdAt: january(1),
      })),
      'id',
    ),
  );
  const [late = 0, early = 0] = ids.map(({ id }) => id);
  const [source = 0] = place.studentIds;
  await seal(owner);
  const ofNow = async () => (await tasks.count(questionOf())).of;
  const first = await ofNow();
  let committed = Promise.resolve();
  let commit = () => {};
  const isOpen = new Promise<void>((opened) => {
    committed = inContext(owner, 'SUPER', async (trx) => {
      await copyRun(trx, source, late);
      opened();
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
  });
  await isOpen;
  await inContext(owner, 'SUPER', (trx) => copyRun(trx, source, early));
  assert.is(await ofNow(), first + 1, 'the committed one');
  commit();
  await committed;
  await seal(owner);
  assert.is(await ofNow(), first + 2, 'the one that was committed later');
  assert.is(await ofNow(), first + 2);
});

test('who is in which class is at most 15 seconds old', async () => {
  let elapsed = 0;
  const tasks = held(() => elapsed);
  const [from, to] = place.classes;
  if (!from || !to) throw new Error('there are no classes');
  const ofClass = async (classId: number) =>
    (await tasks.count(questionOf({ scope: { classId }, questionId: `class ${classId}` }))).of;
  const [before, beforeTo] = [await ofClass(from.id), await ofClass(to.id)];
  const [studentId] = place.studentIds;
  await inContext(owner, 'SUPER', (trx) =>
    trx('enrollment').where({ studentId }).whereNull('enrolledTo').update({ classId: to.id }),
  );
  elapsed = 14_999;
  assert.equal([await ofClass(from.id), await ofClass(to.id)], [before, beforeTo]);
  elapsed = 15_000;
  assert.equal([await ofClass(from.id), await ofClass(to.id)], [before - 1, beforeTo + 1]);
});

test('when other rules come into force, what they answer is found out anew', async () => {
  const { meta } = weakGatewaysNoLonger();
  const versions = { ...rules.versions, 'ssr/ssr': meta.version };
  const document = canonicalJson(weakGatewaysNoLonger());
  await inContext(owner, 'SUPER', (trx) =>
    trx('rule_version').insert({
      ...{ family: meta.family, key: meta.key, version: meta.version },
      ...{ document, sha256: sha256Hex(document), publishedAt: january(10) },
    }),
  );
  const texts = [canonicalJson(rules.documents.find((one) => documentName(one) === 'dth/dth'))];
  const hitsOf = async (tasks: LiveTasks, before: LiveQuestion['before'], questionId: string) => {
    const { position, seen, of } = await tasks.count(questionOf({ before, texts, questionId }));
    assert.is(seen, of);
    return position.hits;
  };
  const tasks = held();
  const now = await hitsOf(tasks, rules.versions, 'now');
  const older = await hitsOf(tasks, versions, 'older');
  assert.equal(older, await hitsOf(held(), versions, 'older'), 'as if only these had been known');
  assert.not.equal(older, now);
  assert.equal(await hitsOf(tasks, rules.versions, 'again'), now);
});

test('the least used organization leaves when another one needs its place', async () => {
  let elapsed = 0;
  const second = await buildPlace(shell, 4, 5);
  const roomy = held();
  const size = async () => (await roomy.count(questionOf())).of;
  assert.ok((await size()) >= students);
  const tasks = held(() => elapsed, 3_500_000);
  assert.is((await tasks.count(questionOf())).isTooLarge, false);
  elapsed = 1_000;
  const own = { organizations: [second.organizationId], scope: { organizationId: second.organizationId } };
  const found = await tasks.count(questionOf({ ...own, questionId: 'second' }));
  assert.equal([found.isTooLarge, found.isLoaded, found.of], [false, true, second.studentIds.length]);
  const small = held(() => elapsed, 300_000);
  const refused = await small.count(questionOf());
  assert.equal([refused.isTooLarge, refused.of], [true, 0]);
});

test('an answer takes at most five bytes, and unpacked it evaluates as before', async () => {
  const runs = await inContext(owner, 'SUPER', (trx) =>
    simulation.newestRuns(
      trx,
      place.organizationId,
      place.studentIds.map((studentId) => ({ studentId, schoolYear: '2025-2026' })),
      january(10),
    ),
  );
  assert.ok(runs.length > 8);
  const packer = new EvidencePacker();
  const { pipeline } = simulation.simulatedRulesOf(rules);
  for (const { input, grade, contextReview } of runs) {
    const bytes = packer.pack(input);
    const ofSessions = 1 + 8 * input.sessions.length;
    assert.ok(bytes.length <= ofSessions + 5 * input.responses.length, `${bytes.length}`);
    const situation = { grade, contextReview, asOf: january(10) };
    const [stored, unpacked] = [input, packer.unpack(bytes)].map((one) =>
      simulation.evaluateRun(one, situation, pipeline),
    );
    assert.ok(stored && unpacked && simulation.isSameResult(stored, unpacked));
  }
});

test('sessions that end at one instant keep their order', () => {
  const packer = new EvidencePacker();
  const session = (sessionId: string) => ({
    ...{ sessionId, source: 'orf' as const, endedAt: '2026-01-05T07:00:00.123Z', analysable: true },
  });
  const { sessions } = packer.unpack(packer.pack({ sessions: ['b', 'c', 'a'].map(session), responses: [] }));
  const [b = '', c = '', a = ''] = sessions.map(({ sessionId }) => sessionId);
  assert.ok(a < b && b < c);
  assert.equal({ ...sessions[0], sessionId: 'b' }, session('b'));
  assert.throws(() => packer.pack({ sessions: [{ ...session('a'), endedAt: 'soon' }], responses: [] }), RangeError);
});

test.run();
