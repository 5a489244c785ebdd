// timeout: 180s
// Approved narratives are part of the proof of texts: a change of a set or a label reports those that would fail, and an
// approval checks again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { inContext } from '#core/platform/db.ts';
import { readStoredTexts, renderings, textSources, unsafeTexts } from '#rules/language/index.ts';
import { narrativeTexts } from '#support/interventions/texts.ts';
import {
  addressOf,
  type Backoffice,
  beginChange,
  buildBackoffice,
  type Json,
  nextVersion,
} from '../../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedRules } from '../../../rules/language/sets.ts';
import { address, parentBody, suggestion, teacherBody } from './rows.ts';

const test = suite('the proof of narratives');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let office: Backoffice;
test.before(async () => {
  office = await buildBackoffice(app);
});

const stored = () => inContext(app.database.app, 'SUPER', (trx) => readStoredTexts(trx, capabilities));
const inForce = async () => (await app.services.rules.at(app.database.app, app.clock.now())).rules;

async function approved(body: object): Promise<string> {
  const { body: made } = await office.author.post(address, body);
  const reply = await office.approver.post(`${address}/${made.id}/approve`, {});
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return String(made.id);
}

test('every text of every narrative in force passes everybody who reads it, with every value of its variables', async () => {
  await approved(teacherBody());
  const bundle = await inForce();
  const rows = await stored();
  const texts = narrativeTexts.served(rows['profile-narratives'] as never)(bundle);
  assert.ok(texts.length >= 14 * 2 + 14 * 2 * 2, String(texts.length));
  assert.is(new Set(texts.map(({ id }) => id)).size, texts.length, 'names of their own');
  assert.equal(unsafeTexts(bundle, textSources(capabilities, rows)), []);
  const [body] = texts.filter(({ id }) => id === 'profile-narratives/DECODING_NEED/teacher/MOY/bodyAr');
  const printed = body ? [...renderings(body, 'الطالب')] : [];
  assert.ok(printed.some((text) => text.includes('الطالب') && text.includes('فك الترميز')));
});

const catching = (phrase: string, tier: string) => ({
  ...{ id: 'NEW-90', tiers: [tier], match: { phrases: [phrase] }, action: 'block', reasonCode: 'blame' },
});

test('a stricter set reports the narratives that it matches', async () => {
  await approved(parentBody({ suggestions: [suggestion({ bodyAr: 'نصغي معًا إلى هدهدة قصيرة.' })] }));
  await approved(parentBody({ window: 'EOY', suggestions: [suggestion({ bodyAr: 'هدهدة لا تخص هذا الفصل.' })] }));
  const waiting = await office.author.post(
    address,
    parentBody({ window: 'BOY', suggestions: [suggestion({ bodyAr: 'هدهدة.' })] }),
  );
  const reply = await office.author.post('/api/language-rules', {
    key: 'family',
    rules: [...shippedRules('family'), catching('هدهدة', 'parent')],
  });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  assert.equal(reply.body.affected, [
    { id: 'profile-narratives/DECODING_NEED/parent/EOY/HS-90/bodyAr', tier: 'parent_stricter', ruleIds: ['NEW-90'] },
    { id: 'profile-narratives/DECODING_NEED/parent/MOY/HS-90/bodyAr', tier: 'parent_stricter', ruleIds: ['NEW-90'] },
  ]);
  const late = await office.approver.post(`${address}/${waiting.body.id}/approve`, {});
  assert.equal(
    [late.status, late.body.details],
    [422, [{ field: 'suggestions.0.bodyAr', issue: 'language_unsafe' }]],
    'what was safe when it was proposed is evaluated again',
  );
  assert.is((await owner('profile_narrative').where({ id: waiting.body.id }).first()).state, 'pending_review');
});

test('a label that makes a narrative unsafe is an error of its change', async () => {
  await approved(teacherBody({ profileCode: 'LANGUAGE_NEED', bodyAr: 'نشاط متأخر {{domainNameAr}}.' }));
  const document = await nextVersion(owner, 'catalogue/subskills', {});
  const domains = (document.domains as Json[]).map((one, at) => (at === 0 ? { ...one, ar: phraseEnd } : one));
  const made = await beginChange(office.author, 'catalogue/subskills', { document: { ...document, domains } });
  const { body } = await office.author.post(`${addressOf(made)}/check`, {});
  const reported = (body.findings as { level: string; code: string; message: string }[])
    .filter(({ code }) => code === 'LANGUAGE_UNSAFE')
    .filter(({ message }) => message.includes('profile-narratives/LANGUAGE_NEED/teacher/MOY/bodyAr'));
  assert.equal(
    reported.map(({ level }) => level),
    ['error'],
  );
});
/** Safe alone, but not after «متأخر». */
const phraseEnd = 'دراسيا';

test.run();
