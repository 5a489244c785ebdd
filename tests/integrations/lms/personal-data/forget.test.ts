// A child who is erased goes out of the rows of its guardians, in which a roster names it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { courses as classes, useSchool } from '../school.ts';
import { rowOf } from '../walk.ts';

const school = useSchool(test, { settings: { LMS_GUARDIAN_IMPORT_ENABLED: 'true' } });
const { app, admin, owner } = school;

const family = () => ({
  classes,
  people: [
    { id: 'child-1', agents: 'g1' },
    { id: 'child-2', agents: 'g1' },
    { id: 'g1', role: 'guardian', email: `${newId()}@home.example` },
  ],
  enrolled: ['child-1', 'child-2'].map((person) => ({ course: 'A', person })),
});

async function eraseChild(): Promise<void> {
  const { id } = await school.userOf('child-1');
  const { status, body } = await app.post(`/api/students/${id}/erasure`, {}, admin.token);
  assert.is(status, 200, JSON.stringify(body));
}

test('a preview names an erased child no more, and its brother or sister still', async () => {
  const id = await school.imported(family());
  const { previewId } = await admin.preview(id);
  const before = rowOf(await admin.read(previewId), 'g1').external as { childExternalIds?: string[] };
  assert.equal(before.childExternalIds, ['child-1', 'child-2']);
  await eraseChild();
  const after = rowOf(await admin.read(previewId), 'g1').external as { childExternalIds?: string[] };
  assert.equal(after.childExternalIds, ['child-2']);
  const { organizationId } = school.tenant;
  const kept = await owner('lms_preview_row').where({ organizationId });
  assert.not(JSON.stringify(kept).includes('child-1'), JSON.stringify(kept));
});

test('what is staged of a guardian names an erased child no more', async () => {
  const id = await school.imported(family());
  const { previewId } = await admin.preview(id);
  const { organizationId } = school.tenant;
  const staged = { organizationId, previewId, externalId: 'g1' };
  const content = JSON.stringify({ roles: ['guardian'], childExternalIds: ['child-1', 'child-2'] });
  await owner('lms_staged_person').insert({ ...staged, entity: 'guardian', content, email: null });
  await eraseChild();
  const left = await owner('lms_staged_person').where(staged).first('content');
  assert.equal(left.content, { roles: ['guardian'], childExternalIds: ['child-2'] });
});

test.run();
