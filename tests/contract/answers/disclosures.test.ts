// timeout: 300s
// A read of a document about named people leaves an audit entry `read`, once for each person, document and hour
// (contract 11, "Audit entries"). The operations are found by their responses and names.
import type { TSchema } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { capabilities } from '#app/capabilities.ts';
import type { Route } from '#core/http/route.ts';
import { auditedOf } from '#core/module/audit-writer.ts';
import { signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type Tenant, type World } from '../../harness/world.ts';
import { aimAt, RouteCaller, type Targets, targetsOf } from '../requests/route-caller.ts';
import { targetOf } from '../requests/targets.ts';
import { finishedReport } from '../rows/reports.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
const { owner } = app.database;
const hourMs = 3_600_000;
let world: World;
let routeCaller: RouteCaller;
let targets: Targets;

test.before(async () => {
  world = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
  targets = targetsOf(app, world);
});

/** Access tokens expire sooner than that. */
async function nextHour(): Promise<void> {
  app.clock.advance(hourMs);
  const { ADMIN, MANAGER, TEACHER, PARENT } = world.own.people;
  for (const person of [ADMIN, MANAGER, TEACHER, PARENT, world.demo.people.ADMIN, world.superAdmin]) {
    Object.assign(person, { token: await signIn(app, person) });
  }
}

interface Read {
  readonly id: number;
  readonly organizationId: string;
  readonly actorUserId: number;
  readonly entity: string;
  readonly entityId: string;
}

interface Entry extends Read {
  readonly at: string;
  readonly action: string;
  readonly operation: string;
  readonly changedFields: readonly string[];
  readonly before: object | null;
  readonly after: object | null;
}

interface Archive {
  readonly sections: Readonly<Record<string, { readonly audit_entry?: readonly Read[] }>>;
}

const reads = (of: object = {}): Promise<Read[]> =>
  owner('audit_entry')
    .where({ action: 'read', ...of })
    .orderBy('id');

/** A response of bytes, or a name from the contract: letters, packets, packs, reports, tables, links, exports. */
const named = /(?:Letter|Packets?|Pack|Document|File|Pdf|Export|Table|Link)$|^export/;
const isFile = (schema: TSchema): boolean => 'contentMediaType' in schema;
const givesOut = ({ answers, operation, method }: Route) =>
  Object.entries(answers).some(([status, schema]) => status === '200' && isFile(schema)) ||
  (named.test(operation) && method === 'get') ||
  /^issue.*Codes?$/.test(operation);

/** Reason → operations without an entry for this reason. */
const others: Readonly<Record<string, readonly string[]>> = {
  'public pages and sounds, about no person': [
    ...['getHome', 'getHomeFile', 'getApiDocs', 'getApiDocsFile', 'getContentAudio', 'getMetrics'],
  ],
  'the inbox of its reader': ['streamNotifications'],
  'each new code is an audited change': ['issueQuickCode', 'issueClassQuickCodes'],
  'it has its own log and a security event': ['exportStudentData'],
  'rules contain no personal data': ['exportRuleSets', 'getChangeDocument'],
};
const explained = new Set(Object.values(others).flat());
const declaring = allRoutes().filter(({ discloses }) => discloses.length > 0);
/** Of the backoffice, which reads in all organizations. */
const isOfBackoffice = ({ allow }: Route) =>
  Array.isArray(allow) && allow.every((permission) => permission === 'RUN_BACKOFFICE');
/** A trial on facts is about no child; the test of a moved threshold reads one on a child. */
const ofBackoffice = declaring.filter((route) => isOfBackoffice(route) && route.operation !== 'tryRuleChange');
const ofTenants = declaring.filter((route) => !isOfBackoffice(route));

test('operations that return documents declare them', () => {
  const missing = allRoutes().filter(
    (route) => givesOut(route) && route.discloses.length === 0 && !explained.has(route.operation),
  );
  assert.equal(
    missing.map(({ operation }) => operation),
    [],
  );
  for (const operation of explained) {
    const route = allRoutes().find((one) => one.operation === operation);
    assert.ok(route && givesOut(route) && route.discloses.length === 0, operation);
  }
});

test('documents are those of the contract, and none is named like an audited table', () => {
  const words = [...new Set(declaring.flatMap(({ discloses }) => discloses))].sort();
  assert.equal(words, [
    ...['class_explanation', 'class_letters', 'class_report', 'letter', 'pack', 'packet', 'session_papers'],
    ...['student_explanation', 'student_trial'],
  ]);
  const tables = Object.keys(auditedOf(capabilities));
  assert.equal(
    words.filter((word) => tables.includes(word) || !/^[a-z_]+$/.test(word)),
    [],
  );
});

const letterOf = ({ people }: Tenant) => `/api/parent/children/${people.STUDENT.id}/letter`;

test('while a database has another constraint, documents are returned and not recorded', async () => {
  const { token } = world.own.people.ADMIN;
  await owner.raw('alter table audit_entry rename constraint audit_entry_action to audit_entry_action_check');
  assert.is((await app.get(letterOf(world.own), { token })).status, 200);
  assert.equal(await reads(), []);
  await owner.raw('alter table audit_entry rename constraint audit_entry_action_check to audit_entry_action');
  assert.is((await app.get(letterOf(world.own), { token })).status, 200);
  assert.is((await reads()).length, 1);
});

for (const route of ofBackoffice) {
  const { operation } = route;
  test(`${operation}: one entry of the backoffice a person, document and hour, in the organization of the document`, async () => {
    await nextHour();
    const known = (await reads()).length;
    const call = async () => {
      const { status, body } = await routeCaller.call(route, 'SUPER', targets.everyOwn);
      assert.is(status, 200, JSON.stringify(body));
    };
    await call();
    const first = (await reads()).slice(known);
    assert.equal(
      first.map(({ organizationId, actorUserId }) => [organizationId, actorUserId]),
      [[world.own.organizationId, world.superAdmin.id]],
    );
    assert.ok(route.discloses.includes(first[0]?.entity ?? ''));
    await call();
    assert.equal((await reads()).slice(known), first, 'a repeated read within the hour');
    await nextHour();
    await call();
    assert.is((await reads()).length, known + 2);
  });

  test(`${operation}: no entry of the backoffice in a demo`, async () => {
    const known = (await reads()).length;
    const { status } = await routeCaller.callAs(route, world.superAdmin, aimAt(targetOf(app, world.demo)));
    assert.is(status, 200);
    assert.is((await reads()).length, known);
  });
}

for (const route of ofTenants) {
  const { operation } = route;
  test(`${operation}: one entry a person, document and hour`, async () => {
    await targets.everyOwn.tenant.fresh.packet();
    await nextHour();
    const call = async (caller: 'SUPER' | 'ADMIN' | 'TEACHER', at = targets.everyOwn) => {
      const { status, body } = await routeCaller.call(route, caller, at);
      assert.is(status, 200, JSON.stringify(body));
    };
    const known = (await reads()).length;
    await call('ADMIN');
    const first = (await reads()).slice(known);
    assert.ok(first.length >= 1);
    for (const { organizationId, actorUserId, entity } of first) {
      assert.equal([organizationId, actorUserId], [world.own.organizationId, world.own.people.ADMIN.id]);
      assert.ok(route.discloses.includes(entity), entity);
    }
    await call('ADMIN');
    assert.equal((await reads()).slice(known), first, 'a repeated read within the hour');
    for (const caller of ['TEACHER', 'SUPER'] as const) await call(caller);
    const byAll = (await reads({ entity: first[0]?.entity, entityId: first[0]?.entityId })).slice(-3);
    assert.equal(
      byAll.map(({ actorUserId }) => actorUserId),
      [world.own.people.ADMIN.id, world.own.people.TEACHER.id, world.superAdmin.id],
    );
    await nextHour();
    await call('ADMIN');
    const ofOne = await reads({ ...keyOf(first[0]), operation, actorUserId: world.own.people.ADMIN.id });
    assert.is(ofOne.filter(({ id }) => id >= (first[0]?.id ?? 0)).length, 2, 'of two hours');
  });

  test(`${operation}: no entry in a demo`, async () => {
    const known = (await reads()).length;
    const { status } = await routeCaller.callAs(route, world.demo.people.ADMIN, aimAt(targetOf(app, world.demo)));
    assert.is(status, 200);
    assert.is((await reads()).length, known);
  });
}

const keyOf = (read: Read | undefined) => ({ entity: read?.entity, entityId: read?.entityId });

test('a family that reads the letter of its child leaves no entry', async () => {
  const known = (await reads()).length;
  const { childId, people } = world.own;
  assert.is((await app.get(`/api/parent/children/${childId}/letter`, { token: people.PARENT.token })).status, 200);
  assert.is((await reads()).length, known);
});

test('a report for a board has no names and leaves no entry', async () => {
  const { ADMIN } = world.own.people;
  const known = (await reads()).length;
  const jobId = await finishedReport(app, ADMIN, { kind: 'board_report', subject: world.own.organizationId });
  assert.is((await app.get(`/api/report-jobs/${jobId}/file`, { token: ADMIN.token })).status, 200);
  assert.is((await reads()).length, known);
});

test('a refused read leaves no entry', async () => {
  const known = (await reads()).length;
  const { MANAGER, ADMIN } = world.own.people;
  assert.is((await app.get(letterOf(world.own), { token: MANAGER.token })).status, 403);
  assert.is((await app.get(letterOf(world.other), { token: ADMIN.token })).status, 404);
  assert.is((await reads()).length, known);
});

test('simultaneous reads leave one entry', async () => {
  await nextHour();
  const known = (await reads()).length;
  const { token } = world.own.people.TEACHER;
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.get(letterOf(world.own), { token })));
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  );
  assert.is((await reads()).length, known + 1);
});

test('an administrator sees who has read what', async () => {
  const { ADMIN, TEACHER, STUDENT } = world.own.people;
  const url = `/api/organizations/${world.own.organizationId}/audit?entity=letter&entityId=${STUDENT.id}&actor=${TEACHER.id}`;
  const { status, body } = await app.get<{ items: Entry[] }>(url, { token: ADMIN.token });
  assert.is(status, 200);
  const [{ at, action, operation, actorUserId, changedFields, before, after } = {} as Entry] = body.items;
  assert.equal(
    [at, action, operation, actorUserId, changedFields, before, after],
    [app.clock.now().toISOString(), 'read', 'readParentLetter', TEACHER.id, [], null, null],
  );
});

test('the archive of a student contains the reads of their letters and packets', async () => {
  const { ADMIN, STUDENT } = world.own.people;
  const archive = async (id: number, section: string) => {
    const { body } = await app.get<Archive>(`/api/students/${id}/data-export`, { token: ADMIN.token });
    return body.sections[section]?.audit_entry ?? [];
  };
  assert.ok((await archive(STUDENT.id, 'identity')).some(({ entity }) => entity === 'letter'));
  const [packet] = await reads({ entity: 'packet' });
  const { studentId } = await owner('decision_packet').where({ id: packet?.entityId }).first('studentId');
  const ofPackets = await archive(studentId, 'decision-packets');
  assert.ok(ofPackets.some(({ entityId }) => entityId === packet?.entityId));
});

test('a document is not returned when its read cannot be recorded', async () => {
  await nextHour();
  await owner.raw(`
    create function refuse_reads() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse_reads before insert on audit_entry for each row when (new.action = 'read')
      execute function refuse_reads()`);
  const { token } = world.own.people.ADMIN;
  const { status, body } = await app.get(letterOf(world.own), { token });
  assert.is(status, 500);
  assert.not.match(JSON.stringify(body), /<html/);
  await owner.raw('drop trigger refuse_reads on audit_entry');
  assert.is((await app.get(letterOf(world.own), { token })).status, 200);
});

test.run();
