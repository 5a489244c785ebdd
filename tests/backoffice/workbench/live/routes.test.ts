// timeout: 240s
// The two routes over threads: exact counts, honest states, and what happens to the index when its students do.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { liveThreads } from '#backoffice/workbench/live/threads.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildSchool, buildSuperAdmin, buildUser, signIn } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import {
  buildPlace,
  edited,
  impactOf,
  january,
  type Place,
  type Report,
  ruleOf,
  storedChange,
  weakGatewaysNoLonger,
} from '../impact/world.ts';

const test = suite('live impact: routes');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;
let place: Place;
let token: string;

test.before(async () => {
  app.clock.set(january(10));
  place = await buildPlace(shell, 4, 11);
  token = await signIn(app, await buildSuperAdmin(owner));
});

const whole = () => ({ organizationId: place.organizationId });
const textOf = (document: RuleDocument) => {
  const { family, key } = document.meta;
  return { family, key, document };
};

async function ask(body: object, as = token): Promise<Reply<Report>> {
  return app.post('/api/admin/live-impact', { scope: whole(), maxMs: 2_000, ...body }, { token: as });
}

/** Asks until the index is loaded. */
async function answer(body: object): Promise<Report> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { status, body: found } = await ask(body);
    assert.is(status, 200, JSON.stringify(found));
    if (found.state !== 'warming' && found.state !== 'counting') return found;
  }
  throw new Error('the index does not become warm');
}

const issueOf = ({ status, body }: Reply<Report>) => [status, body.details?.[0]?.issue ?? body.code];
const liveStateOf = async (body: object) => {
  const { state, issue } = await answer(body);
  return [state, issue];
};

test('the same numbers as the impact job, of a text that nobody has saved', async () => {
  const document = weakGatewaysNoLonger();
  const { report } = await impactOf(shell, document, { scope: whole(), asOf: january(10) });
  const found = await answer({ documents: [textOf(document)] });
  assert.equal([found.state, found.issue, found.of, found.seen], ['exact', null, report.students.evaluated, found.of]);
  assert.equal([found.changed, found.restated], [report.students.changed, report.students.restated]);
  assert.ok(found.changed > 0);
  for (const { layer, changed, better, worse, lateral } of report.layers) {
    const own = found.layers.find((one: Report) => one.layer === layer);
    assert.equal([own.changed, own.better, own.worse, own.lateral], [changed, better, worse, lateral], layer);
  }
  assert.equal(found.ruleHits, report.ruleHits);
  assert.equal(
    found.byGrade,
    report.byGrade.map(({ share: _share, ...group }: Report) => group),
  );
  assert.equal([found.students, found.indexedAt, found.runsBehind], [null, january(10), 0]);
});

test('regions with the students in them, and the students of a transition', async () => {
  const transition = { layer: 'SSR', from: 'weak_gateway', to: 'weak_isolated' };
  const found = await answer({ documents: [textOf(weakGatewaysNoLonger())], students: transition });
  const ssr = found.layers.find(({ layer }: Report) => layer === 'SSR');
  const [moved] = ssr.transitions;
  assert.equal([moved.from, moved.to, ssr.transitions.length], ['weak_gateway', 'weak_isolated', 1]);
  assert.is(found.students.length, moved.count, 'one line for each sub-skill');
  const ids = new Set(found.students.map(({ studentId }: Report) => studentId));
  assert.is(found.changed >= ids.size, true);
  const [region] = found.regions;
  assert.equal(
    { ...region, students: 0 },
    {
      ...{ family: 'ssr', key: 'ssr', students: 0 },
      before: { ruleId: 'SSR-08', outcome: 'weak_gateway' },
      after: { ruleId: 'SSR-08', outcome: 'weak_isolated' },
    },
  );
  assert.equal([found.regions.length, region.students], [1, ids.size]);
  const [first] = found.students;
  const enrolled = await inContext(owner, 'SUPER', (trx) =>
    trx('enrollment').where({ studentId: first.studentId }).whereNull('enrolledTo').first('classId'),
  );
  assert.is(first.classId, enrolled.classId);
  assert.ok(place.schools.includes(first.schoolId));
});

test('of a saved change, of a constant, of a published version, of a school and of a class', async () => {
  const change = await storedChange(shell, [weakGatewaysNoLonger()]);
  const sent = await answer({ documents: [textOf(weakGatewaysNoLonger())] });
  assert.equal((await answer({ changeId: change.id })).changed, sent.changed);
  const parts = [];
  for (const schoolId of place.schools) {
    parts.push(await answer({ scope: { schoolId }, changeId: change.id }));
  }
  assert.is(parts[0].changed + parts[1].changed, sent.changed);
  assert.is(parts[0].of + parts[1].of, sent.of);
  const classes = [];
  for (const { id } of place.classes) classes.push(await answer({ scope: { classId: id }, changeId: change.id }));
  assert.is(
    classes.reduce((sum, one) => sum + one.changed, 0),
    sent.changed,
  );
  const constant = await answer({ constants: [{ constantId: 'DTH-CON-01', value: 100 }] });
  assert.equal([constant.state, constant.changed], ['exact', 0], 'confidence is no status');
  assert.ok(constant.restated > 0);
  const nothing = await answer({ versions: { 'ssr/ssr': 1 } });
  assert.equal([nothing.state, nothing.changed, nothing.restated, nothing.regions], ['exact', 0, 0, []]);
  assert.ok(nothing.ruleHits.some(({ before, after }: Report) => before > 0 && before === after));
});

test('states that are no counts, each with its issue', async () => {
  const gap = edited('bnd/bnd', (document) => document.rules.pop());
  assert.equal(await liveStateOf({ documents: [textOf(gap)] }), ['not_evaluable', 'GAP']);
  const broken = edited('ssr/ssr', (document) => {
    document.rules = 'none';
  });
  assert.equal(await liveStateOf({ documents: [textOf(broken)] }), ['not_evaluable', 'SCHEMA']);
  const foreign = edited('ssr/ssr', (document) => {
    ruleOf(document, 'SSR-08').event.params.outcome = 'weakish';
  });
  assert.is((await liveStateOf({ documents: [textOf(foreign)] }))[0], 'not_evaluable');
  const split = edited('dth/dth', (document) => {
    document.constants['DTH-MIN-01'].value += 1;
  });
  assert.equal(await liveStateOf({ documents: [textOf(split)] }), ['not_evaluable', 'CONSTANT_SPLIT']);
  const adr = edited('adr/adr', (document) => {
    document.rules[0].rationale = 'Another reason.';
  });
  assert.equal(await liveStateOf({ documents: [textOf(adr)] }), ['job_needed', 'evidence']);
  assert.equal(await liveStateOf({ constants: [{ constantId: 'DTH-WIN-01', value: 2 }] }), ['job_needed', 'evidence']);
  const recommendation = edited('bundle/recommendation', (document) => {
    document.rules[0].rationale = 'Another reason.';
  });
  assert.equal(await liveStateOf({ documents: [textOf(recommendation)] }), ['job_needed', 'outside']);
  const bands = edited('band-descriptions/teacher', (document) => {
    document.meta.title.en = 'Another title';
  });
  assert.equal(await liveStateOf({ documents: [textOf(bands)] }), ['not_evaluable', 'nothing_to_simulate']);
});

test('a table that the reference engine answers needs a job', async () => {
  const documentId = 'ssr/ssr@1';
  const mark = (onFallback: boolean) =>
    inContext(owner, 'SUPER', (trx) =>
      trx('rule_engine_fallback').insert({ documentId, onFallback, facts: '{}', at: january(10) }),
    );
  await mark(true);
  assert.equal(await liveStateOf({}), ['job_needed', 'fallback']);
  await mark(false);
  assert.equal(await liveStateOf({}), ['exact', null]);
});

test('what is refused', async () => {
  const reader = await signIn(app, await buildUser(owner, 'TEACHER', { organizationId: place.organizationId }));
  assert.is((await ask({}, reader)).status, 403);
  assert.equal(issueOf(await ask({ scope: { organizationId: newId() } })), [404, 'NOT_FOUND']);
  assert.is((await ask({ maxMs: 99 })).status, 422);
  assert.is((await ask({ maxMs: 2_001 })).status, 422);
  assert.is((await ask({ changeId: newId() })).status, 422);
  assert.is((await ask({ versions: { 'ssr/ssr': 77 } })).status, 422);
  assert.is((await ask({ constants: [{ constantId: 'NO-SUCH-01', value: 1 }] })).status, 422);
  assert.is((await ask({ constants: [{ constantId: 'DTH-MIN-01', value: 'many' }] })).status, 422);
});

test('a new run counts with the next answer, and an erased child no longer', async () => {
  const before = await answer({});
  const [classRow] = place.classes;
  if (!classRow) throw new Error('there is no class');
  const [id = 0, other = 0] = place.studentIds;
  const student = { id, organizationId: place.organizationId, classRow };
  const letters = { LIS_LITERAL: 'CCCCCCCC', VOC_MEANING: 'UUUUUUUU' };
  await shell.diagnostic(student as never, answersOf(letters, 9), { finishedAt: january(9), announced: false });
  await recomputeStudents(shell.services, place.organizationId, [id]);
  const after = await answer({});
  assert.equal([after.of, after.runsBehind], [before.of, 0]);
  assert.not.equal(after.ruleHits, before.ruleHits);
  await inContext(owner, 'SUPER', (trx) => trx('app_user').where({ id: other }).update({ status: 'deleted' }));
  assert.is((await answer({})).of, before.of - 1);
  await inContext(owner, 'SUPER', (trx) => trx('app_user').where({ id: other }).update({ status: 'active' }));
});

test('a thread that is ended answers 503 to whoever asks it, and the next question is answered', async () => {
  const own = liveThreads({ db: shell.services.db, indexMb: 64, count: 1 });
  const { rules } = await shell.services.rules.at(shell.services.db, app.clock.now());
  const question = {
    ...{ scope: whole(), organizations: [place.organizationId], before: rules.versions, now: january(10) },
    ...{ questionId: 'a', userId: 1, texts: [], students: null, maxMs: 20_000 },
  };
  const asked = own.count(question).then(
    () => 'answered',
    (error) => error.code,
  );
  await own.stop();
  assert.is(await asked, 'ENGINE_UNAVAILABLE');
  const [again] = await own.count(question);
  assert.is(again?.isLoaded, true);
  await own.stop();
});

test('an organization that is too large for the memory needs a job', async () => {
  const own = liveThreads({ db: shell.services.db, indexMb: 0, count: 1 });
  const { rules } = await shell.services.rules.at(shell.services.db, app.clock.now());
  const [part] = await own.count({
    ...{ scope: whole(), organizations: [place.organizationId], before: rules.versions, now: january(10) },
    ...{ questionId: 'a', userId: 1, texts: [], students: null, maxMs: 20_000 },
  });
  assert.equal([part?.isTooLarge, part?.of], [true, 0]);
  await own.stop();
});

test('how often a table is asked about each value, with the constants', async () => {
  const query = `organizationId=${place.organizationId}`;
  const read = (fact: string, more = query) =>
    app.get<Report>(`/api/admin/rule-facts/${fact}/distribution?${more}`, { token });
  const { status, body } = await read('bnd/bnd/rawRate');
  assert.equal([status, body.state], [200, 'exact']);
  const { ruleHits } = await answer({});
  const asked = ruleHits
    .filter(({ document }: Report) => document === 'bnd/bnd')
    .reduce((sum: number, { before }: Report) => sum + before, 0);
  assert.is(
    body.bins.reduce((sum: number, { questions }: Report) => sum + questions, 0),
    asked,
    'each question is in one bin',
  );
  assert.ok(body.bins.length > 1 && body.bins.length <= 60);
  for (const { from, to, questions, students } of body.bins) {
    assert.ok(from <= to && students > 0 && students <= questions);
  }
  assert.ok(body.cuts.length > 0);
  for (const { constantId, value } of body.cuts) {
    assert.ok(/^[A-Z]+-/.test(constantId) && typeof value === 'number');
  }
  const words = await read('ssr/ssr/pacReason');
  assert.ok(words.body.bins.every(({ from, to }: Report) => from === to && typeof from === 'string'));
  assert.equal((await read('adr/adr/speed')).body.state, 'job_needed');
  assert.is((await read('bnd/bnd/noSuchFact')).status, 404);
  assert.is((await read('dth/dth/rawRate')).status, 404);
  assert.is((await read('bnd/bnd/rawRate', '')).status, 422);
  assert.is((await read('bnd/bnd/rawRate', `${query}&platform=true`)).status, 422);
  assert.is((await read('bnd/bnd/rawRate', `organizationId=${newId()}`)).status, 404);
  assert.is((await read('bnd/bnd/rawRate', 'platform=true')).status, 200);
});

test('the platform is every organization but demos', async () => {
  const { organizationId } = await buildSchool(owner);
  await owner('organization').where({ id: organizationId }).update({ isDemo: true });
  const found = await answer({ scope: { platform: true } });
  const own = await answer({});
  assert.is(found.of, own.of, 'no other organization has results');
});

test.run();
