// Texts for families: calls every operation that a student or parent may call and checks that every Arabic word of the
// responses passes the strictest filter of its reader. Every text in force must pass too.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { kindsOf } from '#messaging/notifications/engine/kinds.ts';
import { type RewardsDocument, rewardsDocument } from '#outcomes/rewards/engine/rules.ts';
import { checkText, readStoredTexts, type Tier, textSources, unsafeTexts } from '#rules/language/index.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { aboutAlert, deskOf } from '../../messaging/notifications/desk.ts';
import { buildGrowth } from '../../outcomes/rewards/rows.ts';
import { refusedByPermission } from '../operations/access.ts';
import { tabled } from '../operations/table.ts';
import { RouteCaller, requestableRoutes, type Targets, targetsOf } from '../requests/route-caller.ts';
import { contentNames, isArabic, leaves } from './leaves.ts';

const test = suite('what families can receive');
const app = useApp(test);
let world: World;
let routeCaller: RouteCaller;
let targets: Targets;
test.before(async () => {
  world = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
  targets = targetsOf(app, world);
  await awardBadges(world);
  await sendNotifications(world);
});

/** Gives the student every badge. */
async function awardBadges({ own: { people } }: World): Promise<void> {
  const { badges } = (await inForce()).values<RewardsDocument>(rewardsDocument);
  for (const { code } of badges) await buildGrowth(app.database.owner, people.STUDENT, { badge: code });
}

/** Sends every notification kind whose recipients are families. */
async function sendNotifications({ own: { organizationId, people } }: World): Promise<void> {
  const desk = deskOf(app, () => ({ organizationId, people }));
  const about = { ...aboutAlert(people.STUDENT.id), recipientUserId: people.PARENT.id };
  const plan = { studentId: people.STUDENT.id, assignmentId: 'plan1' };
  for (const kind of await familyKinds()) await desk.ask({ ...about, kind, payload: plan });
  await desk.deliver();
}

const familyKinds = async (): Promise<string[]> =>
  [...kindsOf(await inForce()).values()].flatMap(({ kind, defaultPersona }) =>
    defaultPersona === 'PARENT' ? [kind] : [],
  );

/**
 * The strictest tier of each reader, and the minimum number of operations that must succeed, so that the test cannot
 * pass without calls.
 */
const readers = { STUDENT: { tier: 'student', least: 15 }, PARENT: { tier: 'parent_stricter', least: 8 } } as const;
type Reader = keyof typeof readers;

const inForce = async () => (await app.services.rules.at(app.database.app, app.clock.now())).rules;

function routesFor(reader: Reader): Route[] {
  return requestableRoutes().filter(({ operation, allow }) => {
    const row = tabled(operation);
    return allow !== 'public' && row !== undefined && refusedByPermission(row, reader) === undefined;
  });
}

/**
 * The date of a letter is the only text for families with digits (contract 70 §7). It stands alone and occurs once.
 */
const letterDate = /^\p{Script=Arabic}+، [٠-٩]{1,2} \p{Script=Arabic}+ [٠-٩]{4}$/u;

function withoutItsDate(operation: string, texts: readonly string[]): string[] {
  if (operation !== 'readParentLetter') return [...texts];
  const rest = texts.filter((text) => !letterDate.test(text.trim()));
  assert.ok(texts.length - rest.length <= 1, 'a letter has one date');
  return rest;
}

/** For an HTML page, returns the text between tags. */
const textsIn = (body: unknown): string[] =>
  typeof body === 'string'
    ? body.replaceAll(/<style[\s\S]*?<\/style>/g, '').split(/<[^>]*>/)
    : [...leaves(body)].flatMap(({ name, text }) => (text === undefined || contentNames.test(name) ? [] : [text]));

async function violationsIn(body: unknown, tier: Tier, operation = ''): Promise<object[]> {
  const rules = await inForce();
  const texts = withoutItsDate(operation, textsIn(body).filter(isArabic));
  return texts.flatMap((text) => {
    const { safe, violations } = checkText(rules, text.trim(), tier);
    return safe ? [] : [{ text, violations }];
  });
}

for (const reader of ['STUDENT', 'PARENT'] as const) {
  const { tier, least } = readers[reader];
  const answered: string[] = [];
  for (const route of routesFor(reader)) {
    test(`${route.operation} by ${reader}: every word passes ${tier}`, async () => {
      const { status, body } = await routeCaller.call(route, reader, targets.everyOwn);
      if (status < 300) answered.push(route.operation);
      assert.equal(await violationsIn(body, tier, route.operation), []);
    });
  }

  test(`${reader}: most operations succeed`, () => {
    assert.ok(answered.length >= least, answered.join(', '));
  });
}

test('every badge and every family notification was received, including names of badges', async () => {
  const rules = await inForce();
  const { badges } = rules.values<RewardsDocument>(rewardsDocument);
  for (const [reader, { tier }] of Object.entries(readers)) {
    const { token } = world.own.people[reader as Reader];
    const path = `/api/students/${world.own.people.STUDENT.id}/gamification/profile`;
    const { body } = await app.get<{ badges: { nameAr: string; descriptionAr: string }[] }>(path, { token });
    assert.is(body.badges.length, badges.length, reader);
    const texts = body.badges.flatMap(({ nameAr, descriptionAr }) => [nameAr, descriptionAr]);
    for (const text of texts) assert.ok(checkText(rules, text, tier).safe, text);
  }
  const inbox = await app.get<{ items: { kind: string }[] }>('/api/notifications', {
    token: world.own.people.PARENT.token,
  });
  const kinds = inbox.body.items.map(({ kind }) => kind);
  for (const kind of await familyKinds()) assert.ok(kinds.includes(kind), kind);
});

test('a refused word is found at any depth of a response and between tags', async () => {
  const word = 'الطفل ضعيف في القراءة';
  for (const body of [{ items: [{ bodyAr: word }] }, `<p>${word}</p>`]) {
    for (const { tier } of Object.values(readers)) assert.is((await violationsIn(body, tier)).length, 1, tier);
  }
  const dated = ['<p>الخميس، ١٥ يناير ٢٠٢٦</p>', '<p>قرأ ١٥ كلمة في يناير</p>'];
  assert.equal(
    await Promise.all(
      dated.map(async (body) => (await violationsIn(body, 'parent_stricter', 'readParentLetter')).length),
    ),
    [0, 1],
    'a date is no licence for other numbers',
  );
});

test('every text in force, including stored ones, passes the filters of all its readers', async () => {
  const { capabilities } = app.services;
  const stored = await inReadOnlyContext(app.database.app, 'SUPER', (trx) => readStoredTexts(trx, capabilities));
  const sources = textSources(capabilities, stored);
  const rules = await inForce();
  const texts = sources.flatMap((source) => source(rules));
  for (const { tier } of Object.values(readers)) {
    const own = texts.filter(({ tiers }) => tiers.includes(tier));
    assert.ok(own.length > 20, `${tier}: ${own.length}`);
  }
  assert.equal(unsafeTexts(rules, sources), []);
});

test.run();
