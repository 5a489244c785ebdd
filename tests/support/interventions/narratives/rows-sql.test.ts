// Constraints of the database on narratives.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { auditWriter } from '#core/module/audit-writer.ts';
import { inContext, type TenantContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildNarrative } from './rows.ts';

const { owner, app } = useDatabase(test);
const nameWriter = auditWriter({});
const now = new Date('2026-01-12T08:00:00.000Z');
const [author, reviewer] = [11, 12];

class Undone extends Error {}

/** The constraint that `work` of the run-time role violates, under this user; everything is rolled back. */
async function errorOf(
  writer: number | null,
  work: (trx: Trx) => PromiseLike<unknown>,
  context: TenantContext = 'SUPER',
) {
  const attempt = inContext(app, context, async (trx) => {
    if (writer !== null) await nameWriter(trx, { actorUserId: writer, operation: 'test', requestId: 'test' }, now);
    await work(trx);
    throw new Undone('accepted');
  });
  return attempt.then(
    () => 'accepted',
    (error: Error) => error.message,
  );
}

const rows = { pending: '', approved: '', rejected: '', superseded: '' };
test.before(async () => {
  const decided = { authorUserId: author, reviewerUserId: reviewer, decidedAt: now };
  rows.superseded = await buildNarrative(owner, { ...decided, state: 'superseded' });
  rows.approved = await buildNarrative(owner, { ...decided, state: 'approved' });
  const rejection = { ...decided, state: 'rejected', rejectReasonCode: 'Tone_Not_Suitable' };
  rows.rejected = await buildNarrative(owner, rejection as never);
  rows.pending = await buildNarrative(owner, { authorUserId: author });
});

const added = (overrides: object) => (trx: Trx) =>
  trx('profile_narrative').insert({
    ...{
      id: newId(),
      profileCode: 'ON_TRACK',
      audience: 'teacher',
      season: 'MOY',
      version: 1,
      titleAr: 'أ',
      bodyAr: 'ب',
    },
    ...{ state: 'pending_review', authorUserId: author, createdAt: now, ...overrides },
  });
const changed = (row: keyof typeof rows, change: object) => (trx: Trx) =>
  trx('profile_narrative').where({ id: rows[row] }).update(change);
const approval = { state: 'approved', reviewerUserId: reviewer, decidedAt: now };
const rejection = {
  state: 'rejected',
  reviewerUserId: reviewer,
  decidedAt: now,
  rejectReasonCode: 'Tone_Not_Suitable',
};
const replaced =
  (decision: object, decidedRow: 'pending' = 'pending') =>
  async (trx: Trx) => {
    await changed('approved', { state: 'superseded' })(trx);
    await changed(decidedRow, decision)(trx);
  };

type Attempt = readonly [string, number | null, (trx: Trx) => PromiseLike<unknown>, RegExp];
const refusals: readonly Attempt[] = [
  ['a proposal in another’s name', reviewer, added({}), /is who writes it/],
  ['a proposal in no one’s name', null, added({}), /is who writes it/],
  ['a text that is approved when it is written', author, added({ ...approval }), /proposed before it is approved/],
  ['a first text by hand', null, added({ ...approval, authorUserId: null, reviewerUserId: null }), /proposed before/],
  ['a first text that waits', null, added({ authorUserId: null }), /narrative_first/],
  ['a text of no data', author, added({ profileCode: 'DATA_INCOMPLETE' }), /profile_code_check/],
  ['a teacher’s text without a body', author, added({ bodyAr: null }), /narrative_content/],
  ['suggestions for a teacher', author, added({ suggestions: '[]' }), /narrative_content/],
  ['a number that is taken', author, added({ profileCode: 'ISOLATED_GAP', season: 'EOY', version: 2 }), /_version_key/],
  ['two texts in force', reviewer, changed('pending', approval), /in_force/],
  ['an approval by the author', author, replaced({ ...approval, reviewerUserId: author }), /two_persons/],
  ['an approval in another’s name', author, replaced(approval), /name of who takes it/],
  ['an approval in no one’s name', null, replaced(approval), /name of who takes it/],
  ['an approval without a moment', reviewer, replaced({ ...approval, decidedAt: null }), /narrative_decided/],
  ['a rejection without a reason', reviewer, changed('pending', { ...rejection, rejectReasonCode: null }), /_decided/],
  ['a text that changes', author, changed('pending', { bodyAr: 'ت' }), /permission denied/],
  ['another author', author, changed('pending', { authorUserId: reviewer }), /permission denied/],
  ['a rejected text that is approved', reviewer, replacedRejected, /rejected does not become approved/],
  ['a replaced text that comes back', reviewer, changed('superseded', { state: 'approved' }), /does not become/],
  [
    'an approved text that waits again',
    reviewer,
    changed('approved', { state: 'pending_review', decidedAt: null, reviewerUserId: null }),
    /does not become/,
  ],
  [
    'a decision that changes while it is replaced',
    reviewer,
    changed('approved', { state: 'superseded', decidedAt: new Date(1) }),
    /does not change/,
  ],
  ['a decision that is taken again', reviewer, changed('approved', { reviewerUserId: 13 }), /does not become/],
  [
    'a row that goes',
    author,
    (trx) => trx('profile_narrative').where({ id: rows.pending }).delete(),
    /permission denied/,
  ],
];

async function replacedRejected(trx: Trx) {
  await changed('approved', { state: 'superseded' })(trx);
  await changed('rejected', { state: 'approved', rejectReasonCode: null })(trx);
}

for (const [what, writer, work, words] of refusals) {
  test(`the run-time role is refused ${what}`, async () => {
    assert.match(await errorOf(writer, work), words);
  });
}

test('the owner of the tables removes and rewrites nothing either', async () => {
  const asOwner = (work: (trx: Trx) => PromiseLike<unknown>) =>
    inContext(owner, 'SUPER', async (trx) => void (await work(trx))).then(
      () => 'accepted',
      ({ message }: Error) => message,
    );
  assert.match(await asOwner((trx) => trx('profile_narrative').where({ id: rows.pending }).delete()), /keeps its rows/);
  assert.match(await asOwner((trx) => trx.raw('truncate profile_narrative')), /keeps its rows/);
  assert.match(await asOwner(changed('pending', { state: 'rejected', bodyAr: 'ت' })), /does not change/);
});

test('in the context of one organization narratives can be read, and not written', async () => {
  const context = { organizationId: newId() };
  assert.is(await errorOf(author, (trx) => trx('profile_narrative').first('id'), context), 'accepted');
  assert.match(await errorOf(author, added({}), context), /permission denied/);
  assert.match(await errorOf(reviewer, changed('pending', rejection), context), /permission denied/);
});

const allowances: readonly (readonly [string, number, (trx: Trx) => PromiseLike<unknown>])[] = [
  ['an own proposal', author, added({})],
  ['an approval of another’s text, once the one before is replaced', reviewer, replaced(approval)],
  ['a rejection', reviewer, changed('pending', rejection)],
  ['to take an own text back', author, changed('pending', { ...rejection, reviewerUserId: author })],
];

for (const [what, writer, work] of allowances) {
  test(`the run-time role is allowed ${what}`, async () => {
    assert.is(await errorOf(writer, work), 'accepted');
  });
}

test.run();
