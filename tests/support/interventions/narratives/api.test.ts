// timeout: 180s
// Narratives over HTTP: every line of the table of states, forbidden texts, and permissions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { narratedProfiles } from '#support/interventions/narratives/enums.ts';
import { type Backoffice, buildBackoffice, type JsonReply } from '../../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../../harness/http.ts';
import { address, parentBody, suggestion, teacherBody } from './rows.ts';

const test = suite('narratives over HTTP');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const propose = (body: object): Promise<JsonReply> => office.author.post(address, body);
const decide = (who: 'author' | 'approver', id: unknown, verb: 'approve' | 'reject', body: object = {}) =>
  office[who].post(`${address}/${id}/${verb}`, body);
const approve = (id: unknown): Promise<JsonReply> => decide('approver', id, 'approve');
const reject = (id: unknown, reasonCode = 'Tone_Not_Suitable') => decide('approver', id, 'reject', { reasonCode });
const states = async (season: string): Promise<string[]> =>
  (await owner('profile_narrative').where({ season, profileCode: 'DECODING_NEED' }).orderBy('version')).map(
    ({ version, state }) => `${version} ${state}`,
  );

/** The one refusal of a request. */
const refusal = ({ status, body }: JsonReply) => [
  status,
  body.code,
  ...(body.details ?? []).map(({ field, issue }) => `${field}: ${issue}`),
];

test('a proposal waits for a second person, and replaces the text before it', async () => {
  const first = await propose(teacherBody());
  assert.is(first.status, 201, JSON.stringify(first.body));
  const { id, createdAt, ...row } = first.body;
  assert.equal(row, {
    ...teacherBody(),
    ...{ suggestions: null, version: 1, state: 'pending_review', authorUserId: office.author.id },
    ...{ reviewerUserId: null, decidedAt: null, rejectReasonCode: null },
  });
  assert.is(createdAt, app.clock.now().toISOString());
  app.clock.advance(60_000);
  const approved = await approve(id);
  assert.is(approved.status, 200, JSON.stringify(approved.body));
  assert.equal(approved.body, {
    ...first.body,
    ...{ state: 'approved', reviewerUserId: office.approver.id, decidedAt: app.clock.now().toISOString() },
  });
  const second = await propose(teacherBody({ bodyAr: 'تدرّج من المقطع إلى الكلمة.' }));
  assert.is(second.body.version, 2);
  assert.is((await approve(second.body.id)).status, 200);
  assert.equal(await states('MOY'), ['1 superseded', '2 approved']);
});

test('a parent’s text has suggestions, and nothing else', async () => {
  const made = await propose(parentBody({ suggestions: [suggestion(), suggestion({ suggestionCode: 'HS-91' })] }));
  assert.is(made.status, 201, JSON.stringify(made.body));
  assert.equal([made.body.titleAr, made.body.bodyAr, made.body.version], [null, null, 1]);
  assert.equal(made.body.suggestions, [suggestion(), suggestion({ suggestionCode: 'HS-91' })]);
});

test('an author approves no own text, and may take it back', async () => {
  const { body } = await propose(teacherBody({ window: 'EOY' }));
  assert.equal(refusal(await decide('author', body.id, 'approve')).slice(0, 2), [403, 'PERMISSION_DENIED']);
  const back = await decide('author', body.id, 'reject', { reasonCode: 'Content_Inaccurate' });
  assert.equal([back.status, back.body.state, back.body.reviewerUserId], [200, 'rejected', office.author.id]);
});

test('a rejection has a reason code of its own scope', async () => {
  const { body } = await propose(teacherBody({ window: 'EOY' }));
  assert.equal(refusal(await reject(body.id, 'No_Such_Code')), [422, 'VALIDATION_ERROR', 'reasonCode: unknown_code']);
  assert.equal(refusal(await reject(body.id, 'Evidence_Outdated')), [
    422,
    'VALIDATION_ERROR',
    'reasonCode: wrong_scope',
  ]);
  assert.equal(refusal(await decide('approver', body.id, 'reject')), [
    422,
    'VALIDATION_ERROR',
    'reasonCode: is required',
  ]);
  const done = await reject(body.id, 'Reading_Level_Too_High');
  assert.equal([done.status, done.body.state, done.body.rejectReasonCode], [200, 'rejected', 'Reading_Level_Too_High']);
});

test('what is decided stays decided', async () => {
  const approved = (await propose(teacherBody({ window: 'BOY' }))).body.id;
  await approve(approved);
  const newer = (await propose(teacherBody({ window: 'BOY' }))).body.id;
  await approve(newer);
  const rejected = (await propose(teacherBody({ window: 'BOY' }))).body.id;
  await reject(rejected);
  for (const id of [approved, newer, rejected]) {
    for (const reply of [await approve(id), await reject(id)]) {
      assert.equal(refusal(reply), [409, 'CONFLICT', ': invalid_transition'], String(id));
    }
  }
  assert.equal(await states('BOY'), ['1 superseded', '2 approved', '3 rejected']);
});

test('an older text does not replace a newer one', async () => {
  const slot = { profileCode: 'FLUENCY_NEED', window: 'BOY' };
  const older = (await propose(teacherBody(slot))).body.id;
  await approve((await propose(teacherBody(slot))).body.id);
  assert.equal(refusal(await approve(older)), [409, 'CONFLICT', ': newer_approved']);
  const row = await owner('profile_narrative').where({ id: older }).first('state');
  assert.is(row.state, 'pending_review', 'it can still be rejected');
  assert.is((await reject(older)).status, 200);
});

const unsafe = 'طفلكم ضعيف في القراءة.';
const refused: readonly (readonly [string, object, readonly string[]])[] = [
  ['no audience', { profileCode: 'ON_TRACK' }, ['audience: is required', 'audience: is not one of the known values']],
  ['an unknown audience', teacherBody({ audience: 'student' }), ['audience: is not one of the known values']],
  [
    'no data',
    teacherBody({ profileCode: 'DATA_INCOMPLETE' }),
    [
      'profileCode: must be equal to one of the allowed values: CONTEXTUAL_REVIEW, BROAD_NEED, COMBINED_DUAL_NEED, PHONOLOGICAL_NEED, LETTER_SOUND_NEED, DECODING_NEED, LANGUAGE_NEED, FLUENCY_NEED, TEXT_STRATEGY_NEED, ENCODING_NEED, ISOLATED_GAP, CAUTIONARY_WATCH, MONITOR_WATCH, ON_TRACK',
    ],
  ],
  [
    'an unknown window',
    teacherBody({ window: 'NEVER' }),
    ['window: must be equal to one of the allowed values: BOY, MOY, EOY, ANY'],
  ],
  ['suggestions for a teacher', teacherBody({ suggestions: [suggestion()] }), ['suggestions: is not accepted']],
  ['a title for a parent', parentBody({ titleAr: 'نص' }), ['titleAr: is not accepted']],
  ['no title', teacherBody({ titleAr: undefined }), ['titleAr: is required']],
  ['no suggestions', parentBody({ suggestions: [] }), ['suggestions: must NOT have fewer than 1 items']],
  [
    'six suggestions',
    parentBody({ suggestions: [1, 2, 3, 4, 5, 6].map((at) => suggestion({ suggestionCode: `HS-9${at}` })) }),
    ['suggestions: must NOT have more than 5 items'],
  ],
  ['a long title', teacherBody({ titleAr: 'ق'.repeat(81) }), ['titleAr: must NOT have more than 80 characters']],
  ['a long body', teacherBody({ bodyAr: 'ق'.repeat(401) }), ['bodyAr: must NOT have more than 400 characters']],
  ['a title of spaces', teacherBody({ titleAr: '  ' }), ['titleAr: must match pattern "\\S"']],
  [
    'a code of one sign',
    parentBody({ suggestions: [suggestion({ suggestionCode: 'H' })] }),
    ['suggestions.0.suggestionCode: must match pattern "^[A-Z0-9][A-Z0-9-]{1,15}$"'],
  ],
  [
    'a code twice',
    parentBody({ suggestions: [suggestion(), suggestion()] }),
    ['suggestions.1.suggestionCode: duplicate'],
  ],
  ['a variable that no one fills', teacherBody({ bodyAr: 'صف {{className}}' }), ['bodyAr: unknown_variable']],
  ['a variable left open', teacherBody({ titleAr: 'مع {{firstNameAr' }), ['titleAr: unknown_variable']],
  ['a variable in spaces', teacherBody({ titleAr: 'مع {{ firstNameAr }}' }), ['titleAr: unknown_variable']],
  ['a domain without an anchor', teacherBody({ profileCode: 'ON_TRACK' }), ['bodyAr: unknown_variable']],
  [
    'a variable in the second suggestion',
    parentBody({ suggestions: [suggestion(), suggestion({ suggestionCode: 'HS-91', bodyAr: '{{theta}}' })] }),
    ['suggestions.1.bodyAr: unknown_variable'],
  ],
  [
    'a label for a child',
    parentBody({ suggestions: [suggestion({ bodyAr: unsafe })] }),
    ['suggestions.0.bodyAr: language_unsafe'],
  ],
  [
    'a number for a parent',
    parentBody({ suggestions: [suggestion({ titleAr: '٣ كتب' })] }),
    ['suggestions.0.titleAr: language_unsafe'],
  ],
  [
    'a profile code for a parent',
    parentBody({ suggestions: [suggestion({ bodyAr: 'نقرأ: DECODING_NEED' })] }),
    ['suggestions.0.bodyAr: language_unsafe'],
  ],
  [
    'insults for a teacher',
    teacherBody({ titleAr: 'طالب غبي', bodyAr: 'طالب كسول' }),
    ['titleAr: language_unsafe', 'bodyAr: language_unsafe'],
  ],
  ['a word that staff rules would rewrite', teacherBody({ bodyAr: 'طالب ضعيف' }), ['bodyAr: language_unsafe']],
];

for (const [what, body, details] of refused) {
  test(`422, and no row: ${what}`, async () => {
    const before = await owner('profile_narrative').count('id as rows').first();
    assert.equal(refusal(await propose(body)), [422, 'VALIDATION_ERROR', ...details]);
    assert.equal(await owner('profile_narrative').count('id as rows').first(), before);
  });
}

test('every profile but that without data has a text of its own for each audience, from the start', async () => {
  const rows: { profileCode: string; audience: string }[] = await owner('profile_narrative')
    .where({ season: 'ANY', state: 'approved', version: 1 })
    .whereNull('authorUserId')
    .whereNull('reviewerUserId');
  const slots = rows.map(({ profileCode, audience }) => `${profileCode} ${audience}`).sort();
  assert.equal(slots, narratedProfiles.flatMap((code) => [`${code} parent`, `${code} teacher`]).sort());
});

test('what waits is listed from the oldest on, page by page', async () => {
  const made: unknown[] = [];
  for (const window of ['BOY', 'MOY', 'EOY', 'ANY']) {
    made.push((await propose(parentBody({ profileCode: 'BROAD_NEED', window }))).body.id);
  }
  app.clock.advance(1_000);
  made.push((await propose(teacherBody({ profileCode: 'BROAD_NEED' }))).body.id);
  const items: { id: string; createdAt: string }[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await office.approver.get(`${address}/pending-review?limit=2${cursor}`);
    assert.is(status, 200, JSON.stringify(body));
    items.push(...(body.items as { id: string; createdAt: string }[]));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${String(body.nextCursor)}`;
  }
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
  assert.equal(
    items.map(({ createdAt }) => createdAt),
    items.map(({ createdAt }) => createdAt).sort(),
  );
  assert.is(items.at(-1)?.id, made.at(-1));
  for (const id of made) assert.ok(items.some((one) => one.id === id));
  assert.equal(Object.keys(items[0] ?? {}).sort(), [
    ...[
      'audience',
      'authorUserId',
      'bodyAr',
      'createdAt',
      'id',
      'profileCode',
      'suggestions',
      'titleAr',
      'version',
      'window',
    ],
  ]);
  assert.is((await office.approver.get(`${address}/pending-review?cursor=no`)).status, 422);
});

test('the audit has who proposed and who decided', async () => {
  const { body } = await propose(teacherBody({ profileCode: 'LANGUAGE_NEED' }));
  await approve(body.id);
  const entries = await owner('audit_entry').where({ entity: 'profile_narrative', entityId: body.id }).orderBy('id');
  assert.equal(
    entries.map(({ operation, actorUserId, action }) => [operation, actorUserId, action]),
    [
      ['createNarrative', office.author.id, 'insert'],
      ['approveNarrative', office.approver.id, 'update'],
    ],
  );
});

test('without language rules nothing is proposed or approved: 503; what waits can be rejected', async () => {
  const waiting = (await propose(parentBody({ profileCode: 'ENCODING_NEED' }))).body.id;
  const rules = (await office.author.get('/api/language-rules')).body.items as {
    id: string;
    key: string;
    state: string;
  }[];
  const family = rules.find(({ key, state }) => key === 'family' && state === 'active');
  await office.author.request('PATCH', `/api/language-rules/${family?.id}/deactivate`, {});
  assert.equal(refusal(await propose(parentBody())).slice(0, 2), [503, 'ENGINE_UNAVAILABLE']);
  assert.equal(refusal(await approve(waiting)).slice(0, 2), [503, 'ENGINE_UNAVAILABLE']);
  assert.is(
    (await propose(teacherBody({ profileCode: 'ENCODING_NEED' }))).status,
    201,
    'teachers are notified by another set',
  );
  assert.is((await reject(waiting)).status, 200);
});

test.run();
