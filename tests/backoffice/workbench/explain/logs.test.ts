// timeout: 120s
// Behaviour logs and sub-flags explained: by the rules that they are stamped with, with what they were made from.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subFlagCode } from '#assessment/error-patterns/engine/pattern-key.ts';
import { countOccurrences, saveSubFlag } from '#assessment/error-patterns/store.ts';
import { inContext } from '#core/platform/db.ts';
import { itemOf, practisingChild, showing, wrong } from '../../../assessment/measurement/practice/practising.ts';
import { signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedStamp, shippedVersion } from '../../../harness/rules.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { edited, setConstant } from '../impact/world.ts';
import { putInForce } from '../next-version.ts';
import { assertDecision, type Decision, only } from './explained.ts';

const test = suite('explain logs');
const app = useApp(test);
const { owner } = app.database;
const pattern = 'dot_confusion';
const schoolYear = '2025-2026';
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

type Child = Awaited<ReturnType<typeof practisingChild>>;

interface Explained {
  readonly stampId: string;
  readonly kind: string;
  readonly organizationId: string;
  readonly studentId: number;
  readonly asOf: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly decisions: readonly Decision[];
  readonly matchesStored: boolean;
  readonly sentence: { readonly ar: string; readonly en: string };
  readonly nearestChange: null;
  readonly from: readonly Readonly<Record<string, unknown>>[];
}

const ask = async (stampId: string) =>
  app.get<Explained>(`/api/admin/explain/${stampId}`, { token: await signIn(app, world.superAdmin) });

async function explain(stampId: string, studentId: number): Promise<Explained> {
  const { status, body } = await ask(stampId);
  assert.is(status, 200, `${stampId}: ${JSON.stringify(body)}`);
  assert.is(body.stampId, stampId);
  assert.is(body.organizationId, world.own.organizationId);
  assert.is(body.studentId, studentId);
  return body;
}

/** A change that the database would refuse. */
const force = (work: (trx: Parameters<Parameters<typeof owner.transaction>[0]>[0]) => PromiseLike<unknown>) =>
  owner.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await work(trx);
  });

const rulesOf = ({ hits = [] }: Decision) => hits.map(({ ruleId }) => ruleId);

interface LogRow {
  readonly id: number;
  readonly sessionId: string;
  readonly at: string;
  readonly flags: readonly string[];
  readonly facts: Readonly<Record<string, number>>;
  readonly markedSeqs: readonly number[];
}

const logOf = async ({ user }: Child, source: string): Promise<LogRow> =>
  only(await owner('rbm_log').where({ studentId: user.id, source }));

/** A finished diagnostic in which the first answers were given without looking. */
async function hastyChild(): Promise<Child> {
  const kid = await practisingChild(app, world.own);
  const { sessionId } = (await kid.diagnostic.start()).body;
  await kid.diagnostic.answerMany(sessionId, 4, wrong, 300);
  await kid.diagnostic.answerMany(sessionId, 8, wrong);
  await kid.diagnostic.finish(sessionId);
  return kid;
}

test('RBM-01 and RBM-02: a hasty diagnostic is explained by its facts and its marked responses', async () => {
  const kid = await hastyChild();
  const log = await logOf(kid, 'diagnostic');
  const explanation = await explain(`rbm:${log.id}`, kid.user.id);
  assert.is(explanation.kind, 'rbm');
  assert.equal(explanation.result, { source: 'diagnostic', sessionId: log.sessionId, at: log.at, flags: log.flags });
  assert.equal(log.flags.slice(0, 2), ['RBM-01', 'RBM-02']);
  assert.match(explanation.sentence.en, /^Response behaviour: answers faster than reading, run of fast answers/);
  assert.match(explanation.sentence.ar, /^سلوك الإجابة: إجابات أسرع من القراءة، سلسلة إجابات سريعة/);
  const decision = only(explanation.decisions);
  assertDecision(decision);
  assert.is(decision.layer, 'RBM');
  assert.is(decision.subject, log.sessionId);
  assert.equal(decision.facts, log.facts);
  assert.equal(rulesOf(decision), log.flags);
  assert.is(decision.trace.length, 12, 'a table that collects tries every rule');
  assert.is(decision.trace.find(({ ruleId }) => ruleId === 'RBM-01')?.failed, undefined);
  assert.is(decision.trace.find(({ ruleId }) => ruleId === 'RBM-06')?.failed?.fact, 'longestPauseSec');
  assert.is(decision.constants['RBM-PAUSE-ONE']?.value, 120);
  assert.is(explanation.matchesStored, true);
  assert.is(explanation.nearestChange, null);
  assert.equal(
    explanation.from.map(({ seq, latencyMs, answered, correct }) => [seq, latencyMs, answered, correct]),
    Array.from({ length: 12 }, (_, at) => [at + 1, at < 4 ? 300 : 3000, true, false]),
  );
  const marked = explanation.from.flatMap((one) => (one.marked ? [one.seq] : []));
  assert.equal(marked, log.markedSeqs);
  assert.equal(marked.slice(0, 4), [1, 2, 3, 4]);
  const served = await owner('diagnostic_served_item').where({ sessionId: log.sessionId }).orderBy('seq');
  assert.equal(
    explanation.from.map(({ itemId, subSkillCode }) => [itemId, subSkillCode]),
    served.slice(0, 12).map(({ itemId, subSkillCode }) => [itemId, subSkillCode]),
  );
});

test('a practice queue is explained by its own responses', async () => {
  const kid = await practisingChild(app, world.own);
  await kid.seed(await kid.finishDiagnostic());
  const worked = await kid.workOff();
  const log = await logOf(kid, 'practice');
  const explanation = await explain(`rbm:${log.id}`, kid.user.id);
  assert.is(explanation.result.source, 'practice');
  assert.is(explanation.matchesStored, true);
  assert.equal(rulesOf(only(explanation.decisions)), log.flags);
  assert.equal(
    explanation.from.map(({ itemId, correct }) => [itemId, correct]),
    worked.map(({ served }) => [served && itemOf(served).id, true]),
  );
});

test('a log whose flags or facts were changed behind our back is explained as one that does not match', async () => {
  const kid = await hastyChild();
  const { id, flags, facts } = await logOf(kid, 'diagnostic');
  const matches = async (change: object) => {
    await force((trx) => trx('rbm_log').where({ id }).update(change));
    const explanation = await explain(`rbm:${id}`, kid.user.id);
    return explanation.matchesStored;
  };
  assert.is(await matches({ flags: ['RBM-00'] }), false);
  assert.is(await matches({ flags }), true);
  assert.is(await matches({ facts: JSON.stringify({ ...facts, longestPauseSec: 121 }) }), false);
  assert.is(await matches({ facts: '{}' }), false, 'facts that the table cannot be asked with');
  assert.equal((await explain(`rbm:${id}`, kid.user.id)).decisions, []);
  assert.is(await matches({ facts: JSON.stringify(facts) }), true);
});

const flagRow = ({ user }: Child, patternKey = pattern) =>
  owner('sub_flag_indicator').where({ studentId: user.id, patternKey }).first();
const subFlagStamp = ({ user }: Child, patternKey = pattern) => `subflag:${user.id}.${schoolYear}.${patternKey}`;

async function practiseUntil(kid: Child, level: number): Promise<void> {
  for (let steps = 0; steps < 15; steps++) {
    if (((await flagRow(kid))?.level ?? 0) >= level) return;
    await kid.step(showing(pattern));
  }
}

async function practisingDots(level: number): Promise<Child> {
  const kid = await practisingChild(app, world.own);
  await kid.seed(await kid.finishDiagnostic());
  await practiseUntil(kid, level);
  assert.is((await flagRow(kid))?.level, level);
  return kid;
}

const occurrencesOf = ({ user }: Child, patternKey = pattern) =>
  owner('sub_flag_event').where({ studentId: user.id, patternKey, kind: 'occurrence' }).orderBy('id');

test('SUBFLAG-L2: a sub-flag is explained by its counts and the answers that were counted', async () => {
  const kid = await practisingDots(2);
  const row = await flagRow(kid);
  const explanation = await explain(subFlagStamp(kid), kid.user.id);
  assert.is(explanation.kind, 'subflag');
  assert.is(explanation.asOf, row.updatedAt);
  assert.equal(explanation.ruleVersions, { 'subflag/subflag': shippedVersion('subflag/subflag') });
  assert.equal([explanation.result.level, explanation.result.state], [2, 'automatic_support_active']);
  assert.equal([explanation.result.schoolYear, explanation.result.patternKey], [schoolYear, pattern]);
  assert.is(explanation.result.validOccurrences, row.validOccurrences);
  const decision = only(explanation.decisions);
  assertDecision(decision);
  assert.is(decision.subject, pattern);
  assert.equal(decision.facts, {
    validOccurrences: row.validOccurrences,
    sessions: 1,
    linkedOccurrences: row.linkedOccurrences,
    supportDelivered: row.supportDeliveredAt !== null,
    occurrencesAfterSupport: 0,
  });
  assert.equal(rulesOf(decision), ['SUBFLAG-L2', 'SUBFLAG-L1']);
  assert.is(decision.trace[0]?.ruleId, 'SUBFLAG-L3');
  assert.ok(decision.trace[0]?.failed);
  assert.is(explanation.matchesStored, true);
  assert.equal(
    explanation.from.map(({ sessionId, itemId, at }) => [sessionId, itemId, at]),
    (await occurrencesOf(kid)).map(({ sessionId, itemId, at }) => [sessionId, itemId, at]),
  );
  assert.is(explanation.from.length, row.validOccurrences);
});

test('a sub-flag whose level or counts were changed behind our back is explained as one that does not match', async () => {
  const kid = await practisingDots(1);
  const { level, state, validOccurrences } = await flagRow(kid);
  const matches = async (change: object) => {
    await force((trx) =>
      trx('sub_flag_indicator').where({ studentId: kid.user.id, patternKey: pattern }).update(change),
    );
    return (await explain(subFlagStamp(kid), kid.user.id)).matchesStored;
  };
  assert.is(await matches({ level: 3 }), false);
  assert.is(await matches({ level, state: 'teacher_alert_active' }), false);
  assert.is(await matches({ state, validOccurrences: validOccurrences + 1 }), false, 'the ledger knows one less');
  assert.is(await matches({ validOccurrences }), true);
});

/** One wrong answer by an option that has a family and no pattern of its own. */
async function countFamily(studentId: number, patternKey: string): Promise<void> {
  const at = app.clock.now().toISOString();
  const stamp = {
    organizationId: world.own.organizationId,
    studentId,
    schoolYear,
    at,
    ruleVersion: shippedStamp('subflag'),
  };
  const place = { sessionId: 'warm-up-1', startedAt: at, itemId: 'SPL_WORD-G12-01', subSkillCode: 'SPL_WORD' };
  const counts = { validOccurrences: 1, sessionCount: 1, linkedOccurrences: 0, occurrencesAfterSupport: 0 };
  const flag = { patternKey, level: 1, state: 'candidate', ...counts, supportDeliveredAt: null } as const;
  await inContext(owner, { organizationId: stamp.organizationId }, async (trx) => {
    await countOccurrences(trx, stamp, [{ patternKey, ...place, stemGroup: 'SPL_WORD-1', designed: true, at }]);
    await saveSubFlag(trx, stamp, flag, subFlagCode(patternKey));
  });
}

test('a pattern that is a whole family has a colon in its name, escaped or not', async () => {
  const { id } = world.own.people.STUDENT;
  await countFamily(id, 'family:spelling');
  const explanation = await explain(`subflag:${id}.${schoolYear}.family:spelling`, id);
  assert.equal(
    [explanation.result.patternKey, explanation.result.code],
    ['family:spelling', 'AR_FAMILY_SPELLING_FLAG'],
  );
  assert.is(explanation.matchesStored, true);
  assert.equal(
    explanation.from.map(({ itemId, subSkillCode, designed }) => [itemId, subSkillCode, designed]),
    [['SPL_WORD-G12-01', 'SPL_WORD', true]],
  );
  assert.equal((await ask(`subflag%3A${id}.${schoolYear}.family%3Aspelling`)).body, explanation);
});

test('under newer rules old rows still name their own; a level that was reached before stays, and says by which rule', async () => {
  const hasty = await hastyChild();
  const log = await logOf(hasty, 'diagnostic');
  const kid = await practisingDots(2);
  const stamps = [
    [`rbm:${log.id}`, hasty.user.id],
    [subFlagStamp(kid), kid.user.id],
  ] as const;
  const explanation = () => Promise.all(stamps.map(([stampId, studentId]) => explain(stampId, studentId)));
  const before = await explanation();
  const patient = edited('rbm/rbm', (draft) => setConstant(draft, 'RBM-RAPID-COUNT', 100));
  const lenient = edited('subflag/subflag', (draft) => setConstant(draft, 'SUBFLAG-LNK-01', 50));
  await putInForce(app, patient, lenient);
  assert.equal(await explanation(), before);
  const later = await hastyChild();
  const renewed = await explain(`rbm:${(await logOf(later, 'diagnostic')).id}`, later.user.id);
  assert.equal(renewed.ruleVersions, { 'rbm/rbm': shippedVersion('rbm/rbm') + 1 });
  assert.is(renewed.matchesStored, true);
  assert.is(only(renewed.decisions).ruleVersion, shippedStamp('rbm', 1));
  assert.not(rulesOf(only(renewed.decisions)).includes('RBM-01'));
  const counted = (await flagRow(kid)).validOccurrences;
  for (let steps = 0; steps < 15 && (await flagRow(kid)).validOccurrences === counted; steps++) {
    await kid.step(showing(pattern));
  }
  const kept = await explain(subFlagStamp(kid), kid.user.id);
  assert.is(kept.result.level, 2);
  assert.equal(kept.ruleVersions, { 'subflag/subflag': shippedVersion('subflag/subflag') + 1 });
  assert.equal(
    kept.decisions.map((decision) => [decision.ruleVersion, rulesOf(decision)]),
    [
      [shippedStamp('subflag', 1), ['SUBFLAG-L1']],
      [shippedStamp('subflag'), ['SUBFLAG-L2', 'SUBFLAG-L1']],
    ],
  );
  assert.is(kept.matchesStored, true);
});

test('a malformed id and a row that is not there are NOT_FOUND', async () => {
  const row = await inContext(owner, 'SUPER', (trx) => trx('sub_flag_indicator').first());
  const absent = [
    ...['rbm:999999999', 'rbm:0', 'rbm:x', 'rbm:-1', 'rbm:9999999999999999', 'rbm:', 'rbm'],
    ...[
      `subflag:${row.studentId}`,
      `subflag:${row.studentId}.${schoolYear}`,
      `subflag:${row.studentId}.${schoolYear}.`,
    ],
    ...[`subflag:${row.studentId}.2019-2020.${row.patternKey}`, `subflag:${row.studentId}.${schoolYear}.no_such`],
    ...[`subflag:0.${schoolYear}.${pattern}`, `subflag:999999999.${schoolYear}.${pattern}`, `subflag:x.y.z`],
    `subflag:${row.studentId}.${schoolYear}.${pattern}%00`,
  ];
  for (const stampId of absent) {
    const { status, body } = await ask(stampId);
    assert.is(status, 404, stampId);
    assert.is((body as unknown as { code: string }).code, 'NOT_FOUND', stampId);
  }
});

test.run();
