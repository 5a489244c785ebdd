// Access to the engine's results, and the results before, during and after runs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestRecomputes } from '#assessment/skill-status/recompute/requests.ts';
import { inContext } from '#core/platform/db.ts';
import { buildClass, buildStudent, type UserRow } from '../../../harness/factories.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('reads of the engine');
const shell = useShell(test);
const { app, http } = shell;
const finishedAt = '2026-01-10T09:00:00.000Z';
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

/** A new student of the world's class, which is of grade 1. */
async function classmate(): Promise<Student> {
  const { classRow, organizationId } = world.own;
  return { ...(await buildStudent(app.database.owner, classRow)), organizationId, classRow };
}

interface StatusBody {
  readonly runId: string | null;
  readonly asOf: string | null;
  readonly pending: boolean;
  readonly outcome: string;
  readonly halted: boolean;
  readonly nextRecommendedDataAction?: string;
  readonly ruleVersions: Record<string, number>;
  readonly items: readonly { readonly [field: string]: unknown }[];
}

const statusOf = async (student: UserRow) =>
  (
    await http.get<StatusBody>(`/api/sse/students/${student.id}/skill-status`, {
      token: world.own.people.TEACHER.token,
    })
  ).body;

const reads = ['skill-status', 'domain-status', 'pattern-history', 'behavior-logs'];

for (const read of reads) {
  test(`${read}: the class's teacher, the organization's admin and SUPER may read it, no other persona`, async () => {
    const { people } = world.own;
    const path = `/api/sse/students/${people.STUDENT.id}/${read}`;
    const expected: [string, string | undefined, number][] = [
      ['TEACHER', people.TEACHER.token, 200],
      ['ADMIN', people.ADMIN.token, 200],
      ['SUPER', world.superAdmin.token, 200],
      ['TEACHER elsewhere', people['TEACHER elsewhere'].token, 403],
      ['PRINCIPAL', people.PRINCIPAL.token, 403],
      ['MANAGER', people.MANAGER.token, 403],
      ['PARENT', people.PARENT.token, 403],
      ['STUDENT', people.STUDENT.token, 403],
      ['nobody', undefined, 401],
      ['TEACHER of another organization', world.other.people.TEACHER.token, 404],
      ['ADMIN of another organization', world.other.people.ADMIN.token, 404],
    ];
    for (const [who, token, status] of expected) {
      const reply = await http.get(path, token === undefined ? {} : { token });
      assert.is(reply.status, status, who);
    }
  });
}

test('rule layers: teachers and administrators of any organization, not principals', async () => {
  const { people } = world.own;
  const statusFor = async (token: string) => (await http.get('/api/sse/rule-layers', { token })).status;
  assert.is(await statusFor(people.TEACHER.token), 200);
  assert.is(await statusFor(people.ADMIN.token), 200);
  assert.is(await statusFor(world.superAdmin.token), 200);
  assert.is(await statusFor(people.PRINCIPAL.token), 403);
  assert.is(await statusFor(people.MANAGER.token), 403);
});

test('before the first run every sub-skill of the grade is not assessed, in catalogue order', async () => {
  const body = await statusOf(await classmate());
  assert.is(body.runId, null);
  assert.is(body.asOf, null);
  assert.is(body.pending, false);
  assert.is(body.halted, false);
  assert.is(body.outcome, 'do_not_decide_yet');
  assert.is(body.nextRecommendedDataAction, 'run_diagnostic');
  assert.is(body.items.length, 28, 'sub-skills whose grades hold 1');
  assert.is(body.items[0]?.subSkillCode, 'PA_RHYME');
  assert.equal(body.items[0], {
    snapshotId: null,
    subSkillCode: 'PA_RHYME',
    domainCode: 'PA',
    nameAr: 'تمييز القافية',
    status: null,
    outcome: 'not_assessed',
    reason: null,
    confidence: null,
    decision_strength: null,
    modifiers: [],
    evidence: {
      distinctItems: 0,
      sessionCount: 0,
      rawDeficitRate: null,
      deficitBand: null,
      calibrationProvisional: false,
    },
    decidedAt: null,
    ruleId: null,
    ruleVersion: null,
  });
});

test('before the first run domains and tiles are as the engine evaluates no evidence (G01)', async () => {
  const student = await classmate();
  const path = `/api/sse/students/${student.id}/domain-status`;
  const { body } = await http.get<Record<string, never>>(path, { token: world.own.people.TEACHER.token });
  const { domains, comprehension, tiles, global } = body as unknown as {
    domains: { outcome: string; ruleVersion: null }[];
    comprehension: object;
    tiles: { tileCode: string; status: string; applicable: boolean; ruleVersion: null }[];
    global: object;
  };
  assert.is(domains.length, 9);
  assert.ok(domains.every(({ outcome, ruleVersion }) => outcome === 'not_assessed' && ruleVersion === null));
  assert.equal(comprehension, {
    pattern: null,
    compRoutingHint: 'collect_more_data',
    decodingState: 'unknown',
    languageState: 'unknown',
    ruleId: null,
    nextRecommendedDataAction: 'assess_comprehension',
  });
  assert.equal(
    tiles.map(({ tileCode }) => tileCode),
    ['FOUNDATIONS', 'WORD_READING', 'FLUENCY', 'LANGUAGE', 'COMPREHENSION', 'WRITING'],
  );
  assert.ok(tiles.every(({ status, applicable }) => status === 'Not_Assessed' && applicable));
  assert.equal(global, { tileCode: 'GLOBAL', status: 'Not_Assessed', ruleVersion: null });
});

test('a student without a class has nothing in scope', async () => {
  const student = await classmate();
  await inContext(app.database.owner, 'SUPER', (trx) => trx('enrollment').where({ studentId: student.id }).delete());
  const path = `/api/sse/students/${student.id}`;
  const { token } = world.own.people.ADMIN;
  const status = await http.get<StatusBody>(`${path}/skill-status`, { token });
  assert.equal(status.body.items, []);
  const domains = await http.get<{ domains: { outcome: string }[] }>(`${path}/domain-status`, { token });
  assert.ok(domains.body.domains.every(({ outcome }) => outcome === 'not_in_scope'));
});

test('pending from the request to the run', async () => {
  const student = await classmate();
  const { organizationId, id: studentId } = student;
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt, announced: false });
  const input = { organizationId, studentId, trigger: 'admin', triggerRef: null, at: finishedAt } as const;
  await inContext(app.database.app, 'SUPER', (trx) => requestRecomputes(trx, [input]));
  assert.is((await statusOf(student)).pending, true);
  await shell.recompute(student);
  const body = await statusOf(student);
  assert.is(body.pending, false);
  assert.is(body.asOf, app.clock.now().toISOString());
  assert.is(body.outcome, 'decided');
  assert.not('nextRecommendedDataAction' in body);
  assert.equal(Object.keys(body.ruleVersions).sort(), [
    ...['adr/adr', 'bnd/bnd', 'catalogue/subskills', 'cis/cis', 'ddr-lc/ddr-lc', 'ddr/ddr', 'dsm/dsm'],
    ...['dth/dth', 'esc/esc', 'pac/pac', 'rbm/rbm', 'ssr/ssr', 'subflag/subflag'],
  ]);
});

test('GSR-01: too few items halt the student and say how many are missing', async () => {
  const student = await classmate();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC', PA_BLEND: 'CCC', PA_INITIAL: 'NN' }), { finishedAt });
  await shell.recompute(student);
  const body = await statusOf(student);
  assert.is(body.halted, true);
  assert.is(body.outcome, 'do_not_decide_yet');
  assert.is(body.nextRecommendedDataAction, 'run_diagnostic', 'the action of the first halted sub-skill');
  const blend = body.items.find(({ subSkillCode }) => subSkillCode === 'PA_BLEND');
  assert.is(blend?.status, null);
  assert.is(blend?.code, 'DO_NOT_DECIDE_YET');
  assert.is(blend?.reason, 'INSUFFICIENT_ITEMS');
  assert.is(blend?.nextRecommendedDataAction, 'administer_more_items');
  assert.is(blend?.itemsNeeded, 1);
  const sound = body.items.find(({ subSkillCode }) => subSkillCode === 'LK_SOUND');
  assert.is(sound?.status, 'adequate');
  assert.not('code' in (sound ?? {}));
});

test('NO_EVIDENCE alone does not halt', async () => {
  const student = await classmate();
  await shell.diagnostic(student, answersOf({ PA_INITIAL: 'NNNN' }), { finishedAt });
  await shell.recompute(student);
  const body = await statusOf(student);
  assert.is(body.halted, false);
  assert.is(body.outcome, 'do_not_decide_yet');
});

test('a sub-skill that left the scope is not shown with its old status', async () => {
  const classRow = await buildClass(app.database.owner, { organizationId: world.own.organizationId, grade: 1 });
  const { organizationId } = classRow;
  const student = { ...(await buildStudent(app.database.owner, classRow)), organizationId, classRow };
  await shell.diagnostic(student, answersOf({ PA_RHYME: 'CCN', LK_NAME: 'CCCC' }), { finishedAt });
  await shell.recompute(student);
  await app.database.owner('class').where({ id: classRow.id }).update({ grade: 3 });
  await shell.recompute(student);
  const path = `/api/sse/students/${student.id}/skill-status`;
  const { body } = await http.get<StatusBody>(path, { token: world.own.people.ADMIN.token });
  const codes = body.items.map(({ subSkillCode }) => subSkillCode);
  assert.not.ok(codes.includes('PA_RHYME'), 'too few items to stay in scope');
  assert.ok(codes.includes('LK_NAME'), 'enough items to stay in scope');
});

test('a read of current results is one statement for the state and one for the rows', async () => {
  const student = await classmate();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt });
  await shell.recompute(student);
  const statements: string[] = [];
  const listener = ({ sql }: { sql: string }) => void (sql.includes('sse_') && statements.push(sql));
  app.database.app.on('query', listener);
  await statusOf(student);
  app.database.app.removeListener('query', listener);
  assert.is(statements.length, 2);
});

test.run();
