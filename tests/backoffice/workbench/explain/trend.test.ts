// timeout: 120s
// A stored trend explained: worked out again from its own input by its own rules, with the probes behind it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { compileTable, decide, type Facts, isTable } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/measurement/fluency/series.ts';
import { teacher } from '../../../assessment/measurement/fluency/teacher.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { edited, setConstant } from '../impact/world.ts';
import { putInForce } from '../next-version.ts';
import { type Decision, only } from './explained.ts';

const test = suite('explain trends');
const app = useApp(test);
const { owner } = app.database;
let world: World;
/** Of grade 2, whose end-of-year benchmark is 32. */
let classRow: ClassRow;
let hands: ReturnType<typeof teacher>;

test.before(async () => {
  world = await buildWorld(app);
  const { organizationId, school } = world.own;
  classRow = await buildClass(owner, { organizationId, schoolId: school.id, grade: 2, name: '2C' });
  hands = teacher(app, await buildTeacher(owner, classRow));
});
test.before.each(() => app.clock.set('2025-11-05T08:00:00.000Z'));

interface Explained {
  readonly stampId: string;
  readonly kind: string;
  readonly studentId: number;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly decisions: readonly Decision[];
  readonly matchesStored: boolean;
  readonly nearestChange: { readonly outcome: string; readonly text: string } | null;
  readonly from: readonly Readonly<Record<string, unknown>>[];
}

const ask = async (stampId: string) =>
  app.get<Explained>(`/api/admin/explain/${stampId}`, { token: await signIn(app, world.superAdmin) });

async function explain({ id, studentId }: TrendRow): Promise<Explained> {
  const { status, body } = await ask(`trend:${id}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.stampId, body.kind, body.studentId], [`trend:${id}`, 'trend', studentId]);
  return body;
}

interface TrendRow {
  readonly id: number;
  readonly studentId: number;
  readonly probeId: number;
  readonly ruleId: string;
  readonly slopeError: number;
  readonly input: { readonly probes: readonly { readonly score: number }[] };
}

const trendsOf = ({ id }: UserRow): Promise<TrendRow[]> => owner('cbm_trend').where({ studentId: id }).orderBy('id');

/** Each from paper, with its day and the number of its passage of grade 2. */
async function probed(...probes: readonly (readonly [day: string, words: number, passage: number])[]) {
  const student = await buildStudent(owner, classRow);
  for (const [administeredOn, words, passage] of probes) await probe(student, administeredOn, words, passage);
  return student;
}

async function probe(student: UserRow, administeredOn: string, wordsAttempted: number, passage: number) {
  const passageId = `ORF-G2-0${passage}`;
  const body = { studentId: student.id, passageId, administeredOn, wordsAttempted, errors: 0, elapsedSeconds: 60 };
  const answer = await hands.probe(body);
  assert.is(answer.status, 201, JSON.stringify(answer.body));
}

const baseline = [
  ['2025-10-05', 14, 1],
  ['2025-10-06', 12, 2],
  ['2025-10-08', 15, 3],
] as const;
const rising = [...baseline, ['2025-10-22', 17, 4], ['2025-10-29', 18, 5], ['2025-11-05', 20, 6]] as const;

const shipped = bundle.documents.find(({ meta }) => meta.family === 'cbm');
if (!shipped || !isTable(shipped)) throw new Error('no cbm/trend');
const table = compileTable(shipped);
const documentSha256 = canonicalHash(shipped);

test('CBM-02: the worked series is explained by one decision, what would turn it, and its probes', async () => {
  const row = (await trendsOf(await probed(...rising))).at(-1);
  assert.ok(row);
  const explanation = await explain(row);
  const goal = 'benchmark/orf-wcpm-global-g2-eoy';
  assert.equal(explanation.ruleVersions, { [goal]: shippedVersion(goal), 'cbm/trend': shippedVersion('cbm/trend') });
  const { trendType, slopePerWeek, aimSlopePerWeek, benchmark, probeId } = explanation.result;
  assert.equal([trendType, slopePerWeek, aimSlopePerWeek, benchmark], ['trend_above_goal', 1.5, 0.504, 32]);
  assert.equal([probeId, explanation.result.slopeError], [row.probeId, row.slopeError]);
  const decision = only(explanation.decisions);
  assert.equal(
    [decision.layer, decision.ruleVersion, decision.documentSha256, decision.subject],
    ['CBM', `CBM@${shippedVersion('cbm/trend')}`, documentSha256, 'ORF-G2'],
  );
  assert.equal([decision.ruleId, decision.outcome], ['CBM-02', 'trend_above_goal']);
  assert.equal(decision.facts, { monitoringPoints: 3, aimLine: true, lastBelow: 0, slopeGap: 0.996 });
  assert.equal(
    decision.trace.map(({ ruleId, failed }) => [ruleId, failed === undefined]),
    [
      ['CBM-01', false],
      ['CBM-02', true],
    ],
  );
  assert.is(decision.constants['CBM-MIN-01']?.value, 3);
  assertFlip(decision, explanation);
  assert.is(explanation.matchesStored, true);
  assert.equal(
    explanation.from.map(({ at, wcpm, role, watched, aim }) => [at, wcpm, role, watched, aim]),
    [
      ['2025-10-05', 14, 'baseline', false, null],
      ['2025-10-06', 12, 'baseline', false, null],
      ['2025-10-08', 15, 'baseline', false, 14],
      ['2025-10-22', 17, 'monitoring', true, 15.008],
      ['2025-10-29', 18, 'monitoring', true, 15.512],
      ['2025-11-05', 20, 'monitoring', true, 16.016],
    ],
  );
});

function assertFlip({ facts, flipDistance, outcome }: Decision, { nearestChange }: Explained): void {
  assert.ok(flipDistance);
  const turned: Facts = flipDistance.facts;
  const changed = { ...facts, ...Object.fromEntries(flipDistance.changes.map(({ fact, to }) => [fact, to])) };
  assert.equal(turned, changed);
  assert.is(decide(table, turned).outcome, flipDistance.outcome);
  assert.is.not(flipDistance.outcome, outcome);
  assert.is(nearestChange?.outcome, flipDistance.outcome);
  assert.match(nearestChange?.text ?? '', / instead of .* of ORF-G2\./);
}

test('every trend of a series is explained as it was known then, and matches', async () => {
  const rows = await trendsOf(await probed(...rising));
  assert.is(rows.length, 6);
  for (const [at, row] of rows.entries()) {
    const explanation = await explain(row);
    assert.is(explanation.matchesStored, true);
    assert.is(explanation.from.length, at + 1);
    assert.is(only(explanation.decisions).ruleId, row.ruleId);
    assert.is(only(explanation.decisions).outcome, explanation.result.trendType);
  }
});

test('a probe of a passage that was just read, and one from long ago, are told apart from those that count', async () => {
  app.clock.set('2026-02-25T08:00:00.000Z');
  const student = await probed(...baseline, ['2025-10-22', 17, 4], ['2026-02-18', 30, 5], ['2026-02-25', 31, 5]);
  const explanation = await explain((await trendsOf(student)).at(-1) as TrendRow);
  assert.equal(
    explanation.from.slice(3).map(({ role, excluded, watched }) => [role, excluded, watched]),
    [
      ['outside_window', false, false],
      ['monitoring', false, true],
      ['not_comparable', true, false],
    ],
  );
  assert.is(explanation.result.trendType, 'insufficient_points');
  assert.is(explanation.matchesStored, true);
});

test('a row that was changed behind our back is explained as one that does not match', async () => {
  const row = (await trendsOf(await probed(...rising))).at(-1);
  assert.ok(row);
  const { id, input } = row;
  const matches = async (change: object) => {
    await owner.transaction(async (trx) => {
      await trx.raw('alter table cbm_trend disable trigger user');
      await trx('cbm_trend').where({ id }).update(change);
      await trx.raw('alter table cbm_trend enable trigger user');
    });
    return (await explain(row)).matchesStored;
  };
  assert.is(await matches({ trendType: 'trend_mixed' }), false);
  assert.is(await matches({ trendType: 'trend_above_goal', slope: 1.6 }), false);
  assert.is(await matches({ slope: 1.5 }), true);
  const probes = input.probes.map((one, at) => (at === 5 ? { ...one, score: 60 } : one));
  assert.is(await matches({ input: JSON.stringify({ ...input, probes }) }), false);
  assert.is(await matches({ input: JSON.stringify({ ...input, benchmark: 31 }) }), false);
  assert.is(await matches({ input: JSON.stringify(input) }), true);
});

test('an unknown and a malformed id are NOT_FOUND', async () => {
  for (const id of ['999999999', '0', 'x', '-1', '1.5', '9999999999999999', '1:1', '']) {
    const { status, body } = await ask(`trend:${id}`);
    assert.is(status, 404, id);
    assert.is((body as unknown as { code: string }).code, 'NOT_FOUND', id);
  }
});

test('under newer rules an old trend still names its own, and a new one names the new', async () => {
  const student = await probed(...rising);
  const row = (await trendsOf(student)).at(-1);
  assert.ok(row);
  const before = await explain(row);
  await putInForce(
    app,
    edited('cbm/trend', (draft) => setConstant(draft, 'CBM-MIN-01', 5)),
  );
  assert.equal(await explain(row), before);
  app.clock.set('2025-11-12T08:00:00.000Z');
  await probe(student, '2025-11-12', 22, 1);
  const explanation = await explain((await trendsOf(student)).at(-1) as TrendRow);
  assert.is(explanation.result.trendType, 'insufficient_points');
  assert.is(explanation.ruleVersions['cbm/trend'], shippedVersion('cbm/trend') + 1);
  assert.is(only(explanation.decisions).ruleVersion, `CBM@${shippedVersion('cbm/trend') + 1}`);
  assert.is(explanation.matchesStored, true);
});

test.run();
