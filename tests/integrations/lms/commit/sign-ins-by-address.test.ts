// Another address, be it of a roster or of a revert, ends what a first sign-in with Google by the former one has linked: the
// former Google account is no one's here, and that of the new address signs in.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser } from '../../../harness/factories.ts';
import { googleFlow, verified } from '../../../security/sign-in/google-flow.ts';
import { googleSettings, startProvider } from '../../../security/sign-in/provider.ts';
import { noGeneralLimits } from '../../../security/support.ts';
import { courses as classes, useSchool } from '../school.ts';
import { rowOf } from '../walk.ts';

const [before, between, after] = ['before@school.example', 'between@school.example', 'after@school.example'];
const [mine, others] = ['mine@school.example', 'others@school.example'];
const provider = await startProvider();
test.after(() => provider.close());
const school = useSchool(test, {
  addresses: [before, between, after, mine, others],
  settings: {
    ...noGeneralLimits,
    ...googleSettings(provider),
  },
});
const { app, admin, owner } = school;
const flow = googleFlow(app, provider);

provider.people.set('former', verified(before));
provider.people.set('new', verified(after));
provider.people.set('mine', verified(mine));
provider.people.set('other', verified(others));
test.before.each(async () => {
  await owner('external_identity').where({ provider: 'google' }).delete();
});

const roster = (email: string, given = 'هند') => ({
  classes,
  people: [
    { id: 't1', role: 'teacher', given, email },
    { id: 't2', role: 'teacher', given: 'سلمى', email: others },
  ],
  enrolled: ['t1', 't2'].map((person) => ({ course: 'A', person, role: 'teacher' })),
});

/** Whose account a Google account signs in to, or null. */
async function signsIn(subject: string): Promise<number | null> {
  const outcome = await flow.outcome(subject);
  if (outcome.get('error') === 'PERMISSION_DENIED') return null;
  const { body } = await flow.exchange(outcome.get('code'));
  const me = await app.get<{ id: number }>('/api/auth/me', { token: (body as { accessToken: string }).accessToken });
  return me.body.id;
}

/** Imported and signed in by the address. */
async function begun() {
  const connectionId = await school.imported(roster(before));
  const { id: userId } = await school.userOf('t1');
  assert.is(await signsIn('former'), userId);
  return { connectionId, userId };
}

test('an import that brings another address; who is written again without one is signed in as before', async () => {
  const { connectionId, userId } = await begun();
  const other = await signsIn('other');
  const { previewId } = await school.again(connectionId, roster(after));
  await school.commitPreview(previewId);
  assert.equal([await signsIn('former'), await signsIn('new')], [null, userId]);
  const renamed = await school.again(connectionId, roster(after, 'هيا'));
  assert.is(rowOf(renamed, 't1').reasonCode, 'changed');
  await school.commitPreview(renamed.previewId);
  const kept = await owner('external_identity').where({ provider: 'google', byEmail: true }).pluck('subject');
  assert.equal(kept.sort(), ['new', 'other']);
  assert.equal([await signsIn('new'), await signsIn('other')], [userId, other]);
});

test('a revert that gives the former address back', async () => {
  const { connectionId, userId } = await begun();
  await school.again(connectionId, roster(after));
  const run = await school.commit(connectionId);
  assert.is(await signsIn('new'), userId);
  assert.is((await school.revert(run)).status, 200);
  assert.equal([await signsIn('new'), await signsIn('former')], [null, userId]);
});

test('a conflict that is decided for our address, and one for that of the source', async () => {
  const { connectionId, userId } = await begun();
  assert.is((await app.patch(`/api/users/${userId}`, { email: mine }, admin.token)).status, 200);
  assert.is(await signsIn('mine'), userId);
  const decide = async (email: string, resolution: string) => {
    const preview = await school.again(connectionId, roster(email));
    const { rowId, reasonCode } = rowOf(preview, 't1');
    assert.is(reasonCode, 'local_newer');
    assert.is((await admin.resolve(preview.previewId, rowId, resolution)).status, 200);
    await school.commitPreview(preview.previewId);
  };
  await decide(between, 'keep_amal');
  assert.is(await signsIn('mine'), userId);
  await decide(after, 'accept_lms');
  assert.equal([await signsIn('mine'), await signsIn('new')], [null, userId]);
});

test('links of rosters stay, and those of another organization', async () => {
  const { connectionId, userId } = await begun();
  const { organizationId } = school.tenant;
  const createdAt = app.clock.now();
  await owner('external_identity').insert({
    ...{ organizationId, userId, provider: 'google', subject: 'by-roster', byEmail: false, createdAt },
  });
  const stranger = await buildUser(owner, 'TEACHER');
  provider.people.set('stranger', verified(stranger.email));
  assert.is(await signsIn('stranger'), stranger.id);
  const { previewId } = await school.again(connectionId, roster(after));
  await school.commitPreview(previewId);
  provider.people.set('by-roster', verified('whoever@school.example'));
  assert.equal([await signsIn('by-roster'), await signsIn('stranger')], [userId, stranger.id]);
  assert.is(await signsIn('former'), null);
});

test.run();
