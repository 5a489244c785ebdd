// timeout: 120s
// The texts about a profile for readers: the text of the season, filled and filtered; none rather than an unchecked one.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import type { Season } from '#rules/catalogue/index.ts';
import type { ProfileCode } from '#support/interventions/engine/vocabulary.ts';
import { parentSuggestions } from '#support/interventions/narratives/for-parents.ts';
import { teacherTextOf } from '#support/interventions/narratives/teacher-text.ts';
import { type Backoffice, buildBackoffice } from '../../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';
import { shippedRules } from '../../../rules/language/sets.ts';
import { address, parentBody, teacherBody } from './rows.ts';

const test = suite('texts about a profile');
const app = useApp(test, { rules: true });
let office: Backoffice;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
  office = await buildBackoffice(app);
});

interface Asked {
  readonly profileCode?: ProfileCode;
  readonly window?: Season;
  readonly fullNameAr?: string;
  readonly domainCode?: string | null;
}

/** In the context of one organization, as in a request. */
const ofOne = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
  inContext(app.database.app, { organizationId: world.own.organizationId }, work);

const reported = ({ profileCode = 'DECODING_NEED', window = 'BOY', ...words }: Asked = {}) =>
  ofOne((trx) =>
    teacherTextOf(trx, app.services, {
      ...{ profileCode, window, now: app.clock.now() },
      variables: { fullNameAr: 'سارة أحمد', domainCode: 'DEC', ...words },
    }),
  );

/** The caller fills the name. */
const suggested = ({ profileCode = 'DECODING_NEED', window = 'BOY', domainCode = 'DEC' }: Asked = {}) =>
  ofOne(async (trx) => {
    const { rules } = await app.services.rules.at(trx, app.clock.now());
    return (await parentSuggestions(trx, rules, window))(profileCode, domainCode);
  });

async function approved(body: object): Promise<void> {
  const made = await office.author.post(address, body);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { status } = await office.approver.post(`${address}/${made.body.id}/approve`, {});
  assert.is(status, 200);
}

test('from the start every profile has texts for teachers and parents (contract 50 §1.4)', async () => {
  assert.equal(await reported(), {
    titleAr: 'فك الرمز',
    bodyAr: 'درّب على قراءة المقاطع ثم الكلمات المشكولة بتدرج.',
  });
  assert.equal(
    (await suggested({ profileCode: 'CAUTIONARY_WATCH' }))?.map(({ titleAr, bodyAr }) => ({ titleAr, bodyAr })),
    [
      { titleAr: 'وقت للقراءة', bodyAr: 'نخصص وقتًا هادئًا كل يوم لكتاب يختاره طفلكم.' },
      { titleAr: 'نشجّع المحاولة', bodyAr: 'نثني على الجهد ونعطي وقتًا كافيًا للمحاولة من جديد.' },
    ],
  );
  assert.is(await reported({ profileCode: 'DATA_INCOMPLETE' }), null);
});

test('the text of the season comes before the one for any, and names the student and the domain', async () => {
  await approved(teacherBody());
  await approved(parentBody());
  const moy = await reported({ window: 'MOY', fullNameAr: 'عبد الله سعد' });
  assert.is(moy?.bodyAr, 'درّب عبد الله على فك الترميز بخطوات قصيرة.');
  assert.is((await reported({ window: 'EOY' }))?.titleAr, 'فك الرمز');
  const [parent] = (await suggested({ window: 'MOY' })) ?? [];
  assert.equal([parent?.titleAr, parent?.bodyAr], ['وقت القراءة', 'نقرأ معًا قصة قصيرة كل مساء مع {{firstNameAr}}.']);
});

test('a name is data: one that a rule would match, and one in other letters, stay unchanged', async () => {
  assert.is(
    (await reported({ window: 'MOY', fullNameAr: 'ضعيف سالم' }))?.bodyAr,
    'درّب ضعيف على فك الترميز بخطوات قصيرة.',
  );
  assert.is(
    (await reported({ window: 'MOY', fullNameAr: 'Lina Haddad' }))?.bodyAr,
    'درّب Lina على فك الترميز بخطوات قصيرة.',
  );
});

test('who has no name is called otherwise', async () => {
  assert.match((await reported({ window: 'MOY', fullNameAr: '' }))?.bodyAr ?? '', /درّب الطالب على/);
});

test('a text that names a domain is left out where there is none', async () => {
  assert.is(await reported({ window: 'MOY', domainCode: null }), null);
  assert.is(await reported({ window: 'MOY', domainCode: 'NONE' }), null);
});

test('a text in review, rejected or replaced is not served', async () => {
  const slot = { profileCode: 'LANGUAGE_NEED', window: 'MOY' };
  const waiting = await office.author.post(address, teacherBody({ ...slot, titleAr: 'أول' }));
  const title = async () => (await reported({ profileCode: 'LANGUAGE_NEED', window: 'MOY' }))?.titleAr;
  assert.is(await title(), 'بناء اللغة');
  await approved(teacherBody({ ...slot, titleAr: 'ثان' }));
  assert.is(await title(), 'ثان');
  await office.approver.post(`${address}/${waiting.body.id}/reject`, { reasonCode: 'Tone_Not_Suitable' });
  assert.is(await title(), 'ثان');
  await approved(teacherBody({ ...slot, titleAr: 'ثالث' }));
  assert.is(await title(), 'ثالث');
});

test('a text that no longer passes the filter is not served, and without language rules for teachers: ENGINE_UNAVAILABLE', async () => {
  const key = 'staff';
  const phrase = 'درّب على';
  const catching = {
    id: 'NEW-91',
    tiers: ['teacher_note'],
    match: { phrases: [phrase] },
    action: 'block',
    reasonCode: 'blame',
  };
  const answer = await office.author.post('/api/language-rules', { key, rules: [...shippedRules(key), catching] });
  assert.is(answer.status, 201, JSON.stringify(answer.body));
  assert.is(await reported({ window: 'EOY' }), null);
  const rows = (await office.author.get('/api/language-rules')).body.items as {
    id: string;
    key: string;
    state: string;
  }[];
  const active = rows.find((row) => row.key === key && row.state === 'active');
  assert.is((await office.author.request('PATCH', `/api/language-rules/${active?.id}/deactivate`, {})).status, 200);
  const refusal = await reported().catch((error: unknown) => error);
  assert.ok(refusal instanceof AppError && refusal.code === 'ENGINE_UNAVAILABLE', String(refusal));
});

test.run();
