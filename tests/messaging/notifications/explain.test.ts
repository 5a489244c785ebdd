// Explanations of notifications: events, template and checks, by the rules of that time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildSuperAdmin, signIn } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildSchoolhouse, deskOf, type Schoolhouse } from './desk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Schoolhouse;
let token: string;
let events: number[];
let id: string;
const desk = deskOf(app, () => tenant);
const payload = () => ({ studentId: tenant.people.STUDENT.id, assignmentId: 'plan1' });

test.before(async () => {
  tenant = await buildSchoolhouse(owner);
  token = await signIn(app, await buildSuperAdmin(owner));
  const request = { kind: 'parent_tsp_activation', payload: payload(), recipientUserId: tenant.people.PARENT.id };
  const source = { sourceType: 'bundle_assignment', sourceId: 'plan1' };
  events = await desk.ask({ ...request, ...source }, { ...request, ...source });
  await desk.deliver();
  id = String((await desk.notifications())[0]?.id);
});

interface Explained {
  readonly kind: string;
  readonly studentId: number;
  readonly matchesStored: boolean;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly from: {
    readonly source: object;
    readonly events: readonly { readonly eventId: number }[];
    readonly bodyTemplateAr: string;
  };
  readonly checks: readonly { readonly check: string; readonly outcome: string }[];
}

const explain = (stampId: string) => app.get<Explained>(`/api/admin/explain/${stampId}`, { token });
const outcomes = ({ checks }: Explained) => checks.map(({ check, outcome }) => `${check} ${outcome}`);

test('the events, the source, the template and every check', async () => {
  const { status, body } = await explain(`notification:${id}`);
  assert.is(status, 200, JSON.stringify(body));
  assert.equal([body.kind, body.studentId, body.matchesStored], ['notification', tenant.people.STUDENT.id, true]);
  assert.is(body.ruleVersions['notification/parent-tsp-activation'], 1);
  const { recipientUserId, count, tier } = body.result;
  assert.equal([recipientUserId, count, tier], [tenant.people.PARENT.id, 2, 'parent_stricter']);
  assert.equal(
    body.from.events.map(({ eventId }) => eventId),
    events,
  );
  assert.equal(body.from.source, { type: 'bundle_assignment', id: 'plan1' });
  assert.match(body.from.bodyTemplateAr, /\{\{?firstNameAr\}?\}/);
  assert.equal(outcomes(body), ['kind active', 'payload fits', 'text same', 'filter safe']);
});

test('a child that is called otherwise by now: the text is another one, and the stored one is still safe', async () => {
  await owner('app_user').where({ id: tenant.people.STUDENT.id }).update({ fullNameAr: 'ليلى سالم' });
  const { body } = await explain(`notification:${id}`);
  assert.is(body.matchesStored, false);
  assert.equal(outcomes(body), ['kind active', 'payload fits', 'text other', 'filter safe']);
});

test('what is not there is 404, and no id at all too', async () => {
  for (const other of [newId(), '7', 'x']) assert.is((await explain(`notification:${other}`)).status, 404, other);
});

test.run();
