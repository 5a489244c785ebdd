// A Google account is a person's in one organization: no roster of another links it, whatever is decided about its row.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../../harness/http.ts';
import { startGoogle } from '../../../../harness/lms/google.ts';
import { rowOf } from '../../walk.ts';
import { classroomSettings, classrooms, member, type School } from './classrooms.ts';

const google = await startGoogle();
test.after(() => google.close());
const app = useApp(test, { rules: true, settings: classroomSettings(google) });
const { owner } = app.database;
const { says, connected } = classrooms(app, google);

const holders = (subject: string) => owner('external_identity').where({ provider: 'google', subject });

let first: School;
let second: School;
test.before.each(async () => {
  await owner('external_identity').where({ provider: 'google' }).delete();
  says([]);
  [first, second] = [await connected(), await connected()];
  const email = `hind-${first.tenant.organizationId}@school.example`;
  says([member('u-1'), member('u-2')], [member('t-1', email)]);
});

async function importFirst(): Promise<void> {
  const { previewId } = await first.admin.preview(first.connectionId);
  assert.is((await first.admin.commit(previewId)).status, 200);
}

test('a subject that is linked elsewhere is a conflict that shows nothing and can only be skipped', async () => {
  await importFirst();
  says([member('u-1'), member('u-9')], [member('t-1', `other-${second.tenant.organizationId}@school.example`)]);
  const preview = await second.admin.preview(second.connectionId);
  for (const id of ['u-1', 't-1']) {
    const { rowId, reasonCode, local, changes } = rowOf(preview, id);
    assert.equal([reasonCode, local, changes], ['email_in_other_organization', null, []], id);
    for (const resolution of ['accept_lms', 'keep_amal']) {
      const { status, body } = await second.admin.resolve(preview.previewId, rowId, resolution);
      const { details } = body as unknown as { details: readonly object[] };
      assert.equal([status, details], [422, [{ field: 'resolution', issue: 'not_possible' }]], `${id} ${resolution}`);
    }
  }
  const all = await second.admin.resolveAll(preview.previewId, 'email_in_other_organization', 'accept_lms');
  assert.is(all.status, 422);
  assert.is((await second.admin.commit(preview.previewId)).status, 422);
  assert.is((await second.admin.resolveAll(preview.previewId, 'email_in_other_organization', 'skip_row')).status, 200);
  const { status, body } = await second.admin.commit(preview.previewId);
  // u-9 and its enrollment come; two people and their enrollments do not.
  assert.equal([status, body], [200, { created: 2, updated: 0, skipped: 4, conflicts_remaining: 0 }]);
  for (const id of ['u-1', 't-1']) {
    assert.equal(
      (await holders(id)).map(({ organizationId }) => organizationId),
      [first.tenant.organizationId],
    );
  }
});

test('a subject that another organization links between preview and commit: nothing is written', async () => {
  const preview = await second.admin.preview(second.connectionId);
  const { rowId, action } = rowOf(preview, 'u-2');
  assert.is(action, 'create');
  await importFirst();
  const before = await owner('app_user').where({ organizationId: second.tenant.organizationId }).select('id');
  const { status, body } = await second.admin.commit(preview.previewId);
  assert.is(status, 409, JSON.stringify(body));
  const details = body.details as readonly { field: string; issue: string }[];
  assert.ok(
    details.some((one) => one.field === `rows.${rowId}` && one.issue === 'drifted'),
    JSON.stringify(details),
  );
  const { organizationId } = second.tenant;
  assert.equal(await owner('app_user').where({ organizationId }).select('id'), before);
  assert.equal(
    (await holders('u-2')).map((row) => row.organizationId),
    [first.tenant.organizationId],
  );
});

test('two organizations that link one subject at the same time: one does, and the other writes nothing', async () => {
  says([member('u-5')]);
  // One after the other: the one who works at what was asked for builds the other one's preview too, and that is not read too soon.
  const previews = [];
  for (const { admin, connectionId } of [first, second])
    previews.push({ admin, ...(await admin.preview(connectionId)) });
  const answers = await Promise.all(previews.map(({ admin, previewId }) => admin.commit(previewId)));
  assert.equal(answers.map(({ status }) => status).sort(), [200, 409], JSON.stringify(answers.map(({ body }) => body)));
  const late = answers.findIndex(({ status }) => status === 409);
  const { rowId } =
    previews[late]?.rows.find(({ external }) => 'externalId' in external && external.externalId === 'u-5') ?? {};
  assert.equal(answers[late]?.body.details, [{ field: `rows.${rowId}`, issue: 'drifted' }]);
  assert.is((await holders('u-5')).length, 1);
});

test.run();
