// timeout: 480s
// The demo as a newcomer finds it: complete, with a real history, readable by everybody and changed by no one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, sandbox, seedDemo } from '#app/demo/index.ts';
import { DiagnosticSession } from '#assessment/measurement/diagnostics/store.ts';
import { replaySession } from '#assessment/measurement/engine-operations/sessions.ts';
import { answerLists } from '#assessment/measurement/evidence/answer-lists.ts';
import { activeMeasurement, formsFor } from '#assessment/measurement/index.ts';
import { replayRun } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { auditState } from '#messaging/qa/audit/store.ts';
import { catalogueOf } from '#messaging/qa/catalogue.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';
import { useLooking } from '../../messaging/qa/audit/looking.ts';
import { visitorsOf } from './visitors.ts';

const app = useApp(test);
const { owner } = app.database;
const { lookEverywhere, foundOf } = useLooking(test, app);

test.before(async () => {
  // As at a first start: rules came into force now, after all of the history that is about to be made.
  await installEverything(owner, app.clock.now());
});

test('before any seeding there is no access', async () => {
  const { status, body } = await app.get<{ code: string }>('/api/demo/access');
  assert.is(status, 404);
  assert.is(body.code, 'NOT_FOUND');
});

test('progress goes up to all students of both organizations', async () => {
  const seen: number[] = [];
  await seedDemo(app.services, {
    onProgress: (done, total) => {
      assert.is(total, 200);
      seen.push(done);
    },
  });
  assert.is(seen.at(-1), 200);
  assert.equal(
    seen,
    [...seen].sort((a, b) => a - b),
  );
});

for (const { slug, isDemo } of [demo, sandbox]) {
  test(`${slug}: 2 schools, 4 classes, 2 teachers a class, 25 students a class, no SUPER admin`, async () => {
    const organization = await owner('organization').where({ slug }).first();
    assert.is(organization.isDemo, isDemo);
    const organizationId = organization.id;
    const classes = await owner('class').where({ organizationId }).orderBy('grade');
    assert.equal(
      classes.map(({ grade }) => grade),
      [1, 2, 3, 4],
    );
    assert.is(new Set(classes.map(({ schoolId }) => schoolId)).size, 2);
    for (const { id: classId } of classes) {
      const teachers = await owner('class_teacher').where({ classId }).orderBy('position');
      assert.equal(
        teachers.map(({ role }) => role),
        ['PRIMARY', 'SECONDARY'],
      );
      const enrolled = await owner('enrollment').where({ classId }).whereNull('enrolledTo').count();
      assert.equal(enrolled, [{ count: 25 }]);
    }
    assert.equal(await countsByPersona(organizationId), {
      ADMIN: 1,
      MANAGER: 1,
      PARENT: 82,
      PRINCIPAL: 2,
      // One of them was entered twice, and the accounts are merged.
      STUDENT: 101,
      TEACHER: 8,
    });
    const [merged, ...others] = await owner('app_user').where({ organizationId, status: 'merged' });
    assert.equal(others, []);
    const survivor = await owner('app_user').where({ organizationId, id: merged.mergedIntoId }).first();
    assert.is(merged.nameFolded, survivor.nameFolded);
    const links = await owner('parent_student').where({ organizationId }).select('parentUserId');
    assert.is(links.length, 92);
    assert.is(links.length - new Set(links.map(({ parentUserId }) => parentUserId)).size, 10);
  });
}

test('no user of scope SUPER: registration stays open', async () => {
  assert.equal(await owner('app_user').where({ scope: 'SUPER' }), []);
});

test('every student has finished sessions in the past, on school days of this school year', async () => {
  const sessions: { studentId: number; status: string; startedAt: string; finishedAt: string; schoolYear: string }[] =
    await owner('diagnostic_session');
  assert.is(new Set(sessions.map(({ studentId }) => studentId)).size, 200);
  for (const { status, startedAt, finishedAt, schoolYear } of sessions) {
    assert.is(status, 'FINISHED');
    assert.is(schoolYear, '2025-2026');
    assert.ok(new Date(finishedAt) < app.clock.now());
    assert.not([5, 6].includes(new Date(startedAt).getUTCDay()), startedAt);
  }
});

test('every session keeps the answers that its responses make', async () => {
  const [counted] = await rowsOf<{ sessions: number; same: number }>(
    owner,
    `select count(*)::integer as sessions, (count(*) filter (where s.answers::text = ${answerLists()}::text))::integer as same
     from diagnostic_session s`,
    {},
  );
  assert.ok(counted && counted.sessions > 200);
  assert.is(counted.same, counted.sessions);
});

test('each organization has one reading of the wrong child that was voided', async () => {
  const voids = await rowsOf<{ organizationId: string; kind: string; others: number }>(
    owner,
    `select v.organization_id, v.kind,
       (select count(*)::integer from orf_assessment o where o.organization_id = v.organization_id
          and o.student_id = v.student_id and o.school_year = a.school_year and o.id <> a.id) as others
     from evidence_void v join orf_assessment a on a.organization_id = v.organization_id and a.id::text = v.ref_id`,
    {},
  );
  const organizations: string[] = await owner('class').distinct().pluck('organization_id');
  assert.equal(voids.map(({ organizationId }) => organizationId).sort(), organizations.sort());
  for (const { kind, others } of voids) assert.equal({ kind, others }, { kind: 'orf', others: 0 });
});

test('at least half of each class have sat to every part and read aloud twice, so that every tile of the grade says something', async () => {
  const rules = await activeMeasurement(app.services, owner, app.clock.now());
  const { subSkills, domains } = rules.catalogue;
  const classes: { id: number; organizationId: string; grade: number }[] = await owner('class');
  for (const { id: classId, organizationId, grade } of classes) {
    const students: number[] = await owner('enrollment').where({ classId }).whereNull('enrolledTo').pluck('student_id');
    const measured = await rowsOf<{ parts: number; readings: number }>(
      owner,
      `select (select count(distinct form_code) from diagnostic_session d where d.student_id = s.id) as parts,
         (select count(*) from orf_assessment o where o.student_id = s.id and o.status = 'SCORED') as readings
       from unnest(:students::int[]) s (id)`,
      { students },
    );
    const parts = formsFor(grade, rules).length;
    const whole = measured.filter((one) => one.parts === parts && one.readings === 2);
    assert.ok(2 * whole.length >= students.length, `${whole.length} of ${students.length} in grade ${grade}`);
    const reported = await rowsOf<{ tileCode: string; told: number }>(
      owner,
      `select t.tile_code, count(*) filter (where t.status not in ('Not_Assessed', 'Partial')) as told
       from sse_run r join sse_macro_snapshot t on t.organization_id = r.organization_id and t.run_id = r.id
       where r.organization_id = :organizationId and r.student_id = any(:students::int[])
         and not exists (select from sse_run n where n.student_id = r.student_id and n.as_of > r.as_of)
       group by t.tile_code`,
      { organizationId, students },
    );
    const inGrade = new Set(subSkills.filter(({ grades }) => grades.includes(grade)).map(({ domain }) => domain));
    const tiles = new Set(domains.filter(({ code }) => inGrade.has(code)).map(({ tile }) => tile));
    for (const { tileCode, told: count } of reported)
      if (tiles.has(tileCode)) assert.ok(count >= 5, `${tileCode} of grade ${grade}: ${count}`);
  }
});

test('children of many kinds: the engine finds strong, held and weak sub-skills, and halts few', async () => {
  const rows = await owner('sse_skill_snapshot').distinct('status').whereNotNull('status');
  const found = rows.map(({ status }) => status);
  for (const status of ['adequate', 'monitor', 'weak_isolated', 'weak_gateway', 'broad_weakness_related']) {
    assert.ok(found.includes(status), status);
  }
  const runs = await owner('sse_run').select('halted');
  assert.ok(runs.filter(({ halted }) => halted).length < runs.length / 10);
});

test('a few children have context flags since the first day; those with effect review are looked at by a person', async () => {
  const flags: { flagCode: string; studentId: number; setAt: string; isDemo: boolean; persona: string }[] = await owner(
    'context_flag as f',
  )
    .join('organization as o', 'o.id', 'f.organizationId')
    .join('app_user as u', 'u.id', 'f.setBy')
    .orderBy(['f.organizationId', 'f.id'])
    .select('f.flagCode', 'f.studentId', 'f.setAt', 'o.isDemo', 'u.primaryPersona as persona');
  assert.is(flags.length, 10);
  for (const isDemo of [true, false]) {
    const codes = flags.filter((flag) => flag.isDemo === isDemo).map(({ flagCode }) => flagCode);
    assert.equal(codes, [
      ...['first_year_arabic', 'hearing_follow_up', 'accommodation_large_print'],
      ...['home_language_other', 'accommodation_extra_time'],
    ]);
  }
  for (const { setAt, persona } of flags) assert.equal([setAt, persona], ['2025-08-01T00:00:00.000Z', 'TEACHER']);
  const reviewed = flags.filter(({ flagCode }) => ['first_year_arabic', 'hearing_follow_up'].includes(flagCode));
  const runs = await owner('sse_run').where({ contextReview: true }).distinct('studentId');
  const ids = (rows: readonly { readonly studentId: number }[]) =>
    rows.map(({ studentId }) => studentId).sort(byNumber);
  assert.equal(ids(runs), ids(reviewed));
  const labels = await owner('sse_skill_snapshot').where({ status: 'contextual_review' }).distinct('studentId');
  assert.ok(labels.length > 0);
});

test('every class has groups and assignments in every state, and a halted child has none', async () => {
  for (const { slug } of [demo, sandbox]) {
    const { id: organizationId } = await owner('organization').where({ slug }).first('id');
    const generations: { classId: number }[] = await owner('cluster_generation').where({ organizationId });
    assert.is(new Set(generations.map(({ classId }) => classId)).size, 4, slug);
    const plans: { state: string; studentId: number; currentStepNo: number | null }[] = await owner(
      'bundle_assignment',
    ).where({ organizationId });
    const states = new Set(plans.map(({ state }) => state));
    assert.equal([...states].sort(), ['active', 'completed', 'paused', 'scheduled', 'stopped', 'superseded'], slug);
    assert.ok(plans.some(({ state, currentStepNo }) => state === 'active' && (currentStepNo ?? 0) > 1));
    const halted: number[] = await owner('profile_assignment as p')
      .where({ organizationId, outcome: 'do_not_decide_yet' })
      .whereNotExists(
        owner('profile_assignment as n').whereRaw('n.student_id = p.student_id and n.id > p.id').select(owner.raw('1')),
      )
      .pluck('student_id');
    assert.ok(halted.length > 0, slug);
    assert.not(plans.some(({ studentId }) => halted.includes(studentId)));
  }
});

test('in classes of every grade children were moved to the second tier, alerts are open, and a meeting is prepared', async () => {
  for (const { slug } of [demo, sandbox]) {
    const { id: organizationId } = await owner('organization').where({ slug }).first('id');
    const moved = await owner('tier_movement').where({ organizationId });
    assert.ok(moved.length >= 4 && moved.every(({ toTier }) => toTier === 2), `${moved.length} movements`);
    const kinds = await owner('rti_alert').where({ organizationId, state: 'open' }).distinct('kind').pluck('kind');
    assert.ok(kinds.length >= 2, kinds.join());
    const packets = await owner('decision_packet').where({ organizationId, status: 'under_review' });
    assert.ok(packets.length >= 1 && packets.every(({ recommendation }) => recommendation !== null));
  }
});

test('every session and every run replays to the same', async () => {
  const { db, rules } = app.services;
  const [{ id: organizationId }] = await owner('organization').where({ slug: 'demo' });
  await inContext(db, { organizationId }, async (trx) => {
    const students = new Set<number>();
    for (const session of await DiagnosticSession.query(trx)) {
      const { match, stored } = await replaySession(app.services, trx, session);
      assert.ok(match && stored.length > 0, session.id);
    }
    for (const { id, studentId } of await trx('sse_run').select('id', 'studentId')) {
      assert.equal((await replayRun(trx, rules, id)).mismatches, []);
      students.add(studentId);
    }
    assert.is(students.size, 100);
  });
});

test('nothing waits for a recompute', async () => {
  assert.equal(await owner('sse_recompute_request').whereRaw('requested_seq > processed_seq'), []);
});

test('months of history in which nothing is wrong: every check looks, and finds nothing', async () => {
  await owner('outbox').update({ relayedAt: app.clock.now() });
  await lookEverywhere();
  assert.equal(await foundOf(), []);
  const { violations, asOf } = await inContext(owner, 'SUPER', (trx) => auditState(trx, null));
  assert.is(asOf, app.clock.now().toISOString());
  const audits = [...catalogueOf(app.services.capabilities).values()].flatMap(({ check, kind }) =>
    kind === 'audit' ? [check] : [],
  );
  assert.equal(
    audits.map((id) => [id, violations.get(id)]),
    audits.map((id) => [id, 0]),
  );
});

visitorsOf(test, app);

const byNumber = (left: number, right: number) => left - right;

async function countsByPersona(organizationId: string): Promise<Record<string, number>> {
  const rows: { primaryPersona: string; count: number }[] = await owner('app_user')
    .where({ organizationId })
    .groupBy('primaryPersona')
    .select('primaryPersona', owner.raw('count(*)'));
  return Object.fromEntries(rows.map(({ primaryPersona, count }) => [primaryPersona, count]));
}

test.run();
