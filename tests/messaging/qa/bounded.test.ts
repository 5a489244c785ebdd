// Findings about many subjects are reported in portions: a worker that is down during a recompute of all students, keys that
// decrypt nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { createCipher } from '#core/platform/keys/cipher.ts';
import { openQueues, type Queues } from '#core/platform/queue/queue.ts';
import { sealCredentials } from '#integrations/lms/providers/credentials.ts';
import { unreadableConnections } from '#integrations/lms/providers/unreadable.ts';
import { runRuntimeChecks } from '#messaging/qa/runtime-checks.ts';
import { buildClass, buildStudent, buildUser, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';

const app = useApp(test, { ownEntries: true });
const { owner } = app.database;
let queues: Queues;

test.before(async () => {
  await installEverything(owner);
  queues = openQueues({ log: app.services.log, postgres: { connectionString: app.database.appUrl } });
  // The first run of a process reports nothing about waiting work.
  await runRuntimeChecks(app.services, queues);
});
test.after(() => queues.close());

/** Students of one organization; each has waited a second longer than the one after. */
async function waitingStudents(count: number): Promise<readonly UserRow[]> {
  const classRow = await buildClass(owner, { grade: 2 });
  const students: UserRow[] = [];
  for (let at = 0; at < count; at++) students.push(await buildStudent(owner, classRow));
  const now = app.clock.now().getTime();
  await owner('sse_recompute_request')
    .insert(
      students.map(({ id: studentId, organizationId }, at) => ({
        ...{ organizationId, studentId, requestedSeq: 1, processedSeq: 0, trigger: 'admin' },
        requestedAt: new Date(now - (400 + count - at) * 1_000),
      })),
    )
    .onConflict(['organizationId', 'studentId'])
    .merge();
  return students;
}

const reportedRows = async (code: string) =>
  (await owner('platform_alert').where({ code }).orderBy('id').select('organizationId', 'subjectId')).map(
    ({ organizationId, subjectId }) => [organizationId, subjectId],
  );
const pings = (code: string) => owner('alert_announcement').where({ code });
const subject = ({ organizationId, id }: UserRow) => [organizationId, String(id)];

test('students who wait for a recompute: each once an hour, a hundred a minute, those of a small organization among the first', async () => {
  const many = await waitingStudents(130);
  const [other] = await waitingStudents(1);
  if (!other) throw new RangeError('a student is missing');
  const look = async () => {
    await runRuntimeChecks(app.services, queues);
    app.clock.advance(60_000);
  };
  await look();
  const first = await reportedRows('RECOMPUTE_STUCK');
  assert.is(first.length, 100);
  assert.ok(first.some(([organizationId]) => organizationId === other.organizationId));
  for (let minute = 0; minute < 2; minute++) await look();
  const inOrder = (rows: readonly unknown[]) => rows.map(String).sort();
  const all = [...many, other].map(subject);
  assert.equal(inOrder(await reportedRows('RECOMPUTE_STUCK')), inOrder(all), 'each once');
  assert.is((await pings('RECOMPUTE_STUCK')).length, 131);
  const left = many.slice(0, 3);
  await owner('sse_recompute_request')
    .whereNotIn(
      'studentId',
      left.map(({ id }) => id),
    )
    .update({ processedSeq: 1 });
  app.clock.advance(3_600_000);
  await look();
  assert.equal(inOrder((await reportedRows('RECOMPUTE_STUCK')).slice(131)), inOrder(left.map(subject)));
});

test('tokens that no key opens are found some at a time, and those that one opens are not', async () => {
  const { services } = app;
  const foreign = createCipher([Buffer.alloc(32, 7)]);
  const ids: Record<string, boolean> = {};
  for (const isReadable of [true, false, true, false, false]) {
    const { organizationId, id: connectedBy } = await buildUser(owner, 'ADMIN');
    if (organizationId === null) throw new RangeError('an administrator of no organization');
    const provider = 'oneroster';
    const credentials = { root: 'x', tokenUrl: 'x', clientId: 'x', clientSecret: 'x', scope: null };
    const cipher = isReadable ? services.cipher : foreign;
    const { sealed, keyId } = sealCredentials(cipher, { organizationId, provider }, credentials);
    const id = newId();
    await owner('lms_connection').insert({
      ...{ organizationId, id, provider, kind: 'rest', status: 'active', connectedBy, createdAt: app.clock.now() },
      ...{ sealedCredentials: sealed, credentialsKeyId: keyId },
    });
    ids[id] = isReadable;
  }
  const unreadable = Object.keys(ids).filter((id) => !ids[id]);
  const looks = [];
  for (let look = 0; look < 3; look++) looks.push((await unreadableConnections(services, 2)).map(({ id }) => id));
  assert.equal(looks.flat().sort(), unreadable.sort());
  assert.ok(looks.every((found) => found.length <= 2));
  const anew = [];
  for (let look = 0; look < 3; look++) anew.push((await unreadableConnections(services, 2)).map(({ id }) => id));
  assert.equal(anew, looks, 'after the last one it begins anew');
  await runRuntimeChecks(services, queues);
  assert.equal((await reportedRows('LMS_TOKEN_UNREADABLE')).map(([, id]) => id).sort(), unreadable);
});

test.run();
