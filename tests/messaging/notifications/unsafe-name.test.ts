// A rule that matches a name stops no text, because names are data. A text that fails the filter is given up with one alert for
// each event, its source is unchanged, and it is not retried.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { relayAll } from '../../../workers/relay.ts';
import { type Backoffice, buildBackoffice } from '../../backoffice/workbench/backoffice.ts';
import { buildParent, signIn, type UserRow } from '../../harness/factories.ts';
import { blocking, shippedRules } from '../../rules/language/sets.ts';
import { monday, type Pupil, usePlans } from '../../support/interventions/workflow/draft-bodies.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';

const test = suite('names and texts that a rule catches');
const plans = usePlans(test);
const { app, services } = plans.shell;
const { owner } = app.database;
let office: Backoffice;
let zaid: Pupil;
let other: Pupil;

test.before(async () => {
  app.clock.set(monday);
  office = await buildBackoffice(app);
  zaid = await plans.pupil();
  other = await plans.classmate(zaid);
  await owner('app_user').where({ id: zaid.id }).update({ fullNameAr: 'زيد سالم' });
});

async function settle(): Promise<void> {
  const { log } = capturedLog();
  await relayAll(services, noQueues, jobsOf(app.services.capabilities).reactions, log);
  await deliverWaiting(services, zaid.organizationId);
}

async function putFamilyRules(...more: object[]): Promise<void> {
  const body = { key: 'family', rules: [...shippedRules('family'), ...more] };
  const made = await office.author.post('/api/language-rules', body);
  assert.is(made.status, 201, JSON.stringify(made.body));
  app.clock.advance(1_000);
}

const inbox = async (person: UserRow): Promise<unknown[]> => {
  const token = await signIn(app, person);
  return (await app.get<{ items: { renderedBodyAr: string }[] }>('/api/notifications', { token })).body.items.map(
    ({ renderedBodyAr }) => renderedBodyAr,
  );
};

test('a rule that matches the name of one child: every family gets the text with the name', async () => {
  const [first, second] = [await plans.classmate(zaid), await plans.classmate(zaid)];
  await owner('app_user').where({ id: first.id }).update({ fullNameAr: 'راسب سالم' });
  await owner('app_user').where({ id: second.id }).update({ fullNameAr: 'Lina Haddad' });
  const parents = [await buildParent(owner, first), await buildParent(owner, second)];
  await putFamilyRules(blocking('FAM-TRY-01', { phrases: ['قصيرة مع راسب'] }, { tiers: ['parent_stricter'] }));
  await plans.given(first);
  await plans.given(second);
  await settle();
  assert.equal(await Promise.all(parents.map(inbox)), [
    ['بدأت المدرسة خطة دعم قصيرة مع راسب.'],
    ['بدأت المدرسة خطة دعم قصيرة مع Lina.'],
  ]);
  const state = { organizationId: zaid.organizationId, state: 'refused' };
  assert.is((await owner('notification_request').where(state)).length, 0);
});

test('a text that is not safe: one alert for each event, the assignment is unchanged, and nothing is retried', async () => {
  const parents = [await buildParent(owner, zaid), await buildParent(owner, zaid), await buildParent(owner, other)];
  await putFamilyRules(blocking('FAM-TRY-01', { phrases: ['قصيرة مع طفلكم'] }, { tiers: ['parent_stricter'] }));
  const assignmentId = await plans.given(zaid);
  await plans.given(other);
  await settle();
  await settle();
  assert.is((await plans.row(zaid, assignmentId)).state, 'active');
  const inboxes = await Promise.all(parents.map(inbox));
  assert.equal(
    inboxes.map(({ length }) => length),
    [0, 0, 0],
  );
  const refused = { organizationId: zaid.organizationId, state: 'refused', refusal: 'LanguageUnsafe' };
  assert.is((await owner('notification_request').where(refused)).length, 3);
  const alerts = await owner('platform_alert').where({ organizationId: zaid.organizationId, kind: 'qa' });
  assert.equal(
    alerts.map(({ code, details }) => [code, details.kind, details.refusal]),
    [1, 2].map(() => ['LANGUAGE_UNSAFE', 'parent_tsp_activation', 'LanguageUnsafe']),
  );
  assert.not.match(JSON.stringify(alerts), /زيد|قصيرة/);
  await putFamilyRules();
  await settle();
  assert.equal(await inbox(parents[0] as UserRow), [], 'what was given up is not reported when it would be safe');
});

test.run();
