// The sub-skill report over HTTP: decided, halted, incomplete and never measured, who may read it, and its constant cost.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPrincipal, buildUser, type SchoolRow, signIn } from '../../harness/factories.ts';
import { sentStatements } from '../../harness/statements/sent-statements.ts';
import { allRight, type Pupil, usePlans, wordsWrong } from '../../support/interventions/workflow/draft-bodies.ts';

const test = suite('sub-skill report');
const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;

interface SubSkill {
  readonly code: string;
  readonly status: string | null;
  readonly itemsScored: number;
  readonly lastMeasuredOn: string | null;
}
interface Report {
  readonly student: { readonly id: number; readonly fullNameAr: string; readonly grade: number | null };
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly dataIncomplete?: { readonly nextRecommendedDataAction: string; readonly subSkills: readonly string[] };
  readonly domains: readonly {
    readonly code: string;
    readonly status: string | null;
    readonly subSkills: SubSkill[];
  }[];
  readonly macroTiles: readonly { readonly tileCode: string; readonly status: string; readonly applicable: boolean }[];
}

const read = (pupil: Pupil, token = pupil.token) =>
  app.get<Report>(`/api/reports/students/${pupil.id}/sub-skill-report`, { token });
const report = async (pupil: Pupil) => (await read(pupil)).body;
const skillsOf = ({ domains }: Report) =>
  new Map(domains.flatMap(({ subSkills }) => subSkills).map((one) => [one.code, one]));

/** The first part of grade 2, and two items of a sub-skill, which are too few. */
const tooFew = { ...allRight, LK_FORM: 'CC' };

test('a measured student: every sub-skill in scope with what it rests on, every tile, no action', async () => {
  const pupil = await plans.pupil(wordsWrong);
  const body = await report(pupil);
  assert.equal(body.student, { id: pupil.id, fullNameAr: 'مستخدم للاختبار', grade: 2 });
  assert.is(body.asOf, app.clock.now().toISOString());
  assert.is(body.ruleVersions['ssr/ssr'], 1);
  assert.not.ok('dataIncomplete' in body);
  const skills = skillsOf(body);
  assert.equal(skills.get('DEC_WORD'), {
    ...{ code: 'DEC_WORD', nameAr: 'قراءة الكلمات القصيرة المشكولة', status: 'weak_gateway', confidence: 'low' },
    ...{ decision_strength: 'tentative', itemsScored: 4, lastMeasuredOn: '2026-01-12' },
  });
  assert.equal(skills.get('DEC_MULTI'), {
    ...{ code: 'DEC_MULTI', nameAr: 'قراءة الكلمات متعددة المقاطع' },
    ...{ status: null, confidence: null, decision_strength: null, itemsScored: 0, lastMeasuredOn: null },
  });
  assert.ok(body.domains.every(({ subSkills }) => subSkills.length > 0));
  assert.is(body.domains.find(({ code }) => code === 'DEC')?.status, 'weak_gateway');
  assert.is(body.macroTiles.length, 6);
  const { body: status } = await app.get<{ items: { subSkillCode: string }[] }>(
    `/api/sse/students/${pupil.id}/skill-status`,
    { token: pupil.token },
  );
  const inCatalogueOrder = status.items.map(({ subSkillCode }) => subSkillCode);
  assert.equal([...skills.keys()].sort(), [...inCatalogueOrder].sort());
});

test('the day of a sub-skill is that of the newest session that its status rests on', async () => {
  const pupil = await plans.pupil(wordsWrong);
  app.clock.advance(9 * 86_400_000);
  await plans.measure(pupil, { DEC_WORD: 'UUUUU' }, 20);
  const again = { ...pupil, token: await signIn(app, pupil.teacher) };
  const skills = skillsOf(await report(again));
  assert.equal(
    ['DEC_WORD', 'LK_SOUND'].map((code) => skills.get(code)?.lastMeasuredOn),
    ['2026-01-21', '2026-01-12'],
  );
});

test('halted: the response has the next measurement instead of statuses', async () => {
  const body = await report(await plans.pupil(tooFew));
  assert.equal(body.dataIncomplete, { nextRecommendedDataAction: 'administer_more_items', subSkills: ['LK_FORM'] });
  assert.equal([body.domains, body.macroTiles], [[], []]);
  assert.ok(body.asOf);
});

test('without an active profile and not halted: what is decided, and what is missing', async () => {
  const { DEC_WORD: _, DEC_SYLLABLE: __, ...withoutReading } = allRight;
  const body = await report(await plans.pupil(withoutReading));
  assert.ok(body.dataIncomplete);
  assert.equal(body.dataIncomplete?.subSkills, []);
  assert.is(skillsOf(body).get('LK_SOUND')?.status, 'adequate');
  assert.is(body.macroTiles.length, 6);
});

test('never measured: no time, no versions, and the first thing to do', async () => {
  const known = await plans.pupil();
  const body = await report(await plans.classmate(known, null));
  assert.equal([body.asOf, body.ruleVersions], [null, {}]);
  assert.equal(body.dataIncomplete, { nextRecommendedDataAction: 'run_diagnostic', subSkills: [] });
  assert.ok(
    [...skillsOf(body).values()].every(({ status, lastMeasuredOn }) => status === null && lastMeasuredOn === null),
  );
  assert.ok(body.macroTiles.every(({ status }) => status === 'Not_Assessed'));
});

test('its teacher, its principal and administrators read it; others of the school do not; a stranger finds nothing', async () => {
  const pupil = await plans.pupil();
  const { organizationId } = pupil;
  const school = { id: pupil.classRow.schoolId, organizationId } as SchoolRow;
  const elsewhere = await plans.pupil();
  const byPersona = {
    principal: await signIn(app, await buildPrincipal(owner, school)),
    admin: await plans.admin(pupil),
    colleague: await signIn(app, await buildUser(owner, 'TEACHER', { organizationId })),
    manager: await signIn(app, await buildUser(owner, 'MANAGER', { organizationId })),
    stranger: elsewhere.token,
  };
  const statuses = { principal: 200, admin: 200, colleague: 403, manager: 403, stranger: 404 };
  for (const [who, token] of Object.entries(byPersona))
    assert.is((await read(pupil, token)).status, statuses[who as keyof typeof statuses], who);
});

test('its cost does not grow with what is known', async () => {
  const known = await plans.pupil();
  const never = await plans.classmate(known, null);
  const cost = async (pupil: Pupil) => (await sentStatements(app.services.db, () => read(pupil))).length;
  const [few, many] = [await cost(never), await cost(known)];
  assert.ok(many <= few + 1 && many <= 16, `${few} and ${many}`);
});

test.run();
