// timeout: 180s
// Two people at one slot at the same time, and processes that start at once: one decision each, versions without a gap.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { approveNarrative } from '#support/interventions/narratives/proposals/review.ts';
import { seedNarratives } from '#support/interventions/narratives/seed.ts';
import { findNarrative, type NarrativeRow } from '#support/interventions/narratives/store.ts';
import { type Backoffice, buildBackoffice, type JsonReply } from '../../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../../harness/http.ts';
import { address, buildNarrative, teacherBody } from './rows.ts';

const test = suite('narratives, at once');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const propose = async (body: object): Promise<string> => String((await office.author.post(address, body)).body.id);
const approve = (id: string, who: 'approver' | 'secondApprover' = 'approver') =>
  office[who].post(`${address}/${id}/approve`, {});
const reject = (id: string) =>
  office.secondApprover.post(`${address}/${id}/reject`, { reasonCode: 'Tone_Not_Suitable' });
const summary = ({ status, body }: JsonReply): string => [status, body.details?.[0]?.issue].join(' ').trim();
const rowsOf = async (profileCode: string): Promise<{ version: number; state: string; decidedAt: string | null }[]> =>
  owner('profile_narrative').where({ profileCode, audience: 'teacher', season: 'MOY' }).orderBy('version');

const rounds = 6;

test('proposals at once get versions without a gap', async () => {
  const bodies = Array.from({ length: 8 }, (_, at) =>
    teacherBody({ profileCode: 'ON_TRACK', titleAr: `نص ${at}`, bodyAr: 'واصل.' }),
  );
  const replies = await Promise.all(bodies.map((body) => office.author.post(address, body)));
  assert.equal(
    replies.map(({ status }) => status),
    bodies.map(() => 201),
  );
  assert.equal(replies.map(({ body }) => body.version).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('two approvals of one slot at once: the newer text is in force, whichever was first', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [older, newer] = [await propose(teacherBody()), await propose(teacherBody())];
    const replies = await Promise.all([approve(older), approve(newer, 'secondApprover')]);
    const outcomes = replies.map(summary);
    assert.is(outcomes[1], '200');
    assert.ok(outcomes[0] === '200' || outcomes[0] === '409 newer_approved', outcomes[0]);
    const rows = await rowsOf('DECODING_NEED');
    assert.equal(
      rows.filter(({ state }) => state === 'approved').map(({ version }) => version),
      [2 * round + 2],
    );
    assert.is(rows.at(-2)?.state, outcomes[0] === '200' ? 'superseded' : 'pending_review');
  }
});

test('two approvals of one text at once: one decides', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await propose(teacherBody({ profileCode: 'FLUENCY_NEED' }));
    const outcomes = (await Promise.all([approve(id), approve(id, 'secondApprover')])).map(summary);
    assert.equal(outcomes.sort(), ['200', '409 invalid_transition']);
  }
});

test('approval and rejection at once: one decides, and the other learns of it', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await propose(teacherBody({ profileCode: 'BROAD_NEED' }));
    const [approved, rejected] = (await Promise.all([approve(id), reject(id)])).map(summary);
    assert.equal([approved, rejected].sort(), ['200', '409 invalid_transition']);
    const row = await owner('profile_narrative').where({ id }).first('state');
    assert.is(row.state, approved === '200' ? 'approved' : 'rejected');
  }
});

test('rules that change between check and approval: the text is checked again', async () => {
  const id = await propose(teacherBody({ profileCode: 'LANGUAGE_NEED' }));
  const refusal = await inContext(app.database.app, 'SUPER', async (trx) => {
    const row = (await findNarrative(trx, id)) as NarrativeRow;
    return approveNarrative(app.services, trx, row, 'a bundle of before', office.approver.id);
  }).catch((error: unknown) => error);
  assert.ok(refusal instanceof AppError && refusal.details?.[0]?.issue === 'rules_moved', String(refusal));
  assert.is((await approve(id)).status, 200);
});

test('every start adds missing slots, once, and none that has a text', async () => {
  const everything = () => owner('profile_narrative').orderBy('id');
  const before = await everything();
  const start = () => inContext(owner, 'SUPER', (trx) => seedNarratives(trx, app.clock.now()));
  await Promise.all([start(), start(), start()]);
  assert.equal(await everything(), before);
  const emptied = { profileCode: 'ENCODING_NEED', audience: 'teacher', season: 'ANY' };
  await owner.raw('alter table profile_narrative disable trigger user');
  await owner('profile_narrative')
    .where({ ...emptied })
    .delete();
  await owner('profile_narrative')
    .where({ ...emptied, profileCode: 'ON_TRACK' })
    .delete();
  await owner.raw('alter table profile_narrative enable trigger user');
  await buildNarrative(owner, { profileCode: 'ON_TRACK', season: 'ANY' });
  await Promise.all([start(), start(), start()]);
  const seeded = await owner('profile_narrative').where(emptied);
  assert.equal(
    seeded.map(({ version, state }) => `${version} ${state}`),
    ['1 approved'],
  );
  const written = await owner('profile_narrative').where({ ...emptied, profileCode: 'ON_TRACK' });
  assert.equal(
    written.map(({ state }) => state),
    ['pending_review'],
    'a slot with a row of any state is left alone',
  );
});

test.run();
