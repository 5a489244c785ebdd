// timeout: 120s
// What a reader is told of a profile: the text of the season, filled and filtered; nothing rather than something unchecked.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Season } from '../../../src/catalogue/index.ts';
import type { ProfileCode } from '../../../src/interventions/engine/vocabulary.ts';
import { narrativeFor } from '../../../src/interventions/index.ts';
import type { Audience } from '../../../src/interventions/narratives/words.ts';
import { inContext } from '../../../src/platform/db.ts';
import { AppError } from '../../../src/platform/errors.ts';
import { shippedRules } from '../../language/sets.ts';
import { useApp } from '../../support/http.ts';
import { buildWorld, type World } from '../../support/world.ts';
import { type Backoffice, buildBackoffice } from '../../workbench/backoffice.ts';
import { address, parentBody, suggestion, teacherBody } from './rows.ts';

const test = suite('what is told of a profile');
const app = useApp(test, { rules: true });
let office: Backoffice;
let world: World;
test.before(async () => {
  world = await buildWorld(app);
  office = await buildBackoffice(app);
});

interface Asked<To extends Audience> {
  readonly to: To;
  readonly profileCode?: ProfileCode;
  readonly window?: Season;
  readonly fullNameAr?: string;
  readonly domainCode?: string | null;
}

/** As a teacher's or a parent's request would: with one organization in sight. */
const told = <To extends Audience>({ to, profileCode = 'DECODING_NEED', window = 'BOY', ...words }: Asked<To>) =>
  inContext(app.database.app, { organizationId: world.own.organizationId }, (trx) =>
    narrativeFor(trx, app.services, {
      ...{ profileCode, window, audience: to, now: app.clock.now() },
      variables: { fullNameAr: 'سارة أحمد', domainCode: 'DEC', ...words },
    }),
  );

async function approved(body: object): Promise<void> {
  const made = await office.author.post(address, body);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { status } = await office.approver.post(`${address}/${made.body.id}/approve`, {});
  assert.is(status, 200);
}

test('from the start every profile tells teachers and parents something (contract 50 §1.4)', async () => {
  assert.equal(await told({ to: 'teacher' }), {
    titleAr: 'فك الرمز',
    bodyAr: 'درّب على قراءة المقاطع ثم الكلمات المشكولة بتدرج.',
  });
  assert.equal(await told({ to: 'parent', profileCode: 'CAUTIONARY_WATCH' }), {
    suggestions: [
      { titleAr: 'وقت للقراءة', bodyAr: 'نخصص وقتًا هادئًا كل يوم لكتاب يختاره طفلكم.' },
      { titleAr: 'نشجّع المحاولة', bodyAr: 'نثني على الجهد ونعطي وقتًا كافيًا للمحاولة من جديد.' },
    ],
  });
  assert.is(await told({ to: 'teacher', profileCode: 'DATA_INCOMPLETE' }), null);
});

test('the text of the season comes before the one for any, and names the student and the domain', async () => {
  await approved(teacherBody());
  await approved(parentBody());
  const moy = await told({ to: 'teacher', window: 'MOY', fullNameAr: 'عبد الله سعد' });
  assert.is(moy?.bodyAr, 'درّب عبد الله على فك الترميز بخطوات قصيرة.');
  assert.is((await told({ to: 'teacher', window: 'EOY' }))?.titleAr, 'فك الرمز');
  const parent = await told({ to: 'parent', window: 'MOY' });
  assert.equal(parent?.suggestions, [{ titleAr: 'وقت القراءة', bodyAr: 'نقرأ معًا قصة قصيرة كل مساء مع سارة.' }]);
});

test('a name that a rule catches is not said; who has no name is called otherwise', async () => {
  const body = async (to: Audience, fullNameAr: string) =>
    JSON.stringify(await told({ to, window: 'MOY', fullNameAr }));
  assert.match(await body('parent', 'راسب العتيبي'), /مع طفلكم/);
  assert.match(await body('parent', '١٢'), /مع طفلكم/);
  assert.match(await body('teacher', ''), /درّب الطالب على/);
});

test('a text that names a domain says nothing where there is none', async () => {
  assert.is(await told({ to: 'teacher', window: 'MOY', domainCode: null }), null);
  assert.is(await told({ to: 'teacher', window: 'MOY', domainCode: 'NONE' }), null);
});

test('a text in review, rejected or replaced is told to nobody', async () => {
  const slot = { profileCode: 'LANGUAGE_NEED', window: 'MOY' };
  const waiting = await office.author.post(address, teacherBody({ ...slot, titleAr: 'أول' }));
  const title = async () => (await told({ to: 'teacher', profileCode: 'LANGUAGE_NEED', window: 'MOY' }))?.titleAr;
  assert.is(await title(), 'بناء اللغة');
  await approved(teacherBody({ ...slot, titleAr: 'ثان' }));
  assert.is(await title(), 'ثان');
  await office.approver.post(`${address}/${waiting.body.id}/reject`, { reasonCode: 'Tone_Not_Suitable' });
  assert.is(await title(), 'ثان');
  await approved(teacherBody({ ...slot, titleAr: 'ثالث' }));
  assert.is(await title(), 'ثالث');
});

const key = 'family';
const catching = (phrase: string) => ({
  ...{ id: 'NEW-91', tiers: ['parent'], match: { phrases: [phrase] }, action: 'block', reasonCode: 'blame' },
});

test('one suggestion that may no longer be said silences the narrative', async () => {
  const suggestions = [suggestion(), suggestion({ suggestionCode: 'HS-91', bodyAr: 'نغني هدهدة.' })];
  await approved(parentBody({ window: 'EOY', suggestions }));
  assert.is((await told({ to: 'parent', window: 'EOY' }))?.suggestions.length, 2);
  const rules = [...shippedRules(key), catching('هدهدة')];
  assert.is((await office.author.post('/api/language-rules', { key, rules })).status, 201);
  assert.is(await told({ to: 'parent', window: 'EOY' }), null);
  assert.is((await told({ to: 'parent', window: 'MOY' }))?.suggestions.length, 1, 'others are told');
});

test('without language rules for the audience: ENGINE_UNAVAILABLE, and nothing is said', async () => {
  const rows = (await office.author.get('/api/language-rules')).body.items as {
    id: string;
    key: string;
    state: string;
  }[];
  const active = rows.find((row) => row.key === key && row.state === 'active');
  assert.is((await office.author.request('PATCH', `/api/language-rules/${active?.id}/deactivate`, {})).status, 200);
  const refusal = await told({ to: 'parent' }).catch((error: unknown) => error);
  assert.ok(refusal instanceof AppError && refusal.code === 'ENGINE_UNAVAILABLE', String(refusal));
  assert.ok(await told({ to: 'teacher' }), 'teachers are told by another set');
});

test.run();
