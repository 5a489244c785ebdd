// Escalation in the service: practice and TRAINING warm-ups raise sub-flags, hints are served and recorded, one alert
// is written, and no other table changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBanks } from '#assessment/content/items/banks.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { useApp } from '../../harness/http.ts';
import { shippedStamp } from '../../harness/rules.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { practisingChild, showing } from '../measurement/practice/practising.ts';

const app = useApp(test);
const { owner } = app.database;
const pattern = 'dot_confusion';
const schoolYear = '2025-2026';
let world: World;
test.before(async () => {
  world = await buildWorld(app);
});

type Child = Awaited<ReturnType<typeof practisingChild>>;

interface FlagRow {
  readonly level: number;
  readonly state: string;
  readonly code: string;
  readonly validOccurrences: number;
  readonly sessionCount: number;
  readonly ruleVersion: string;
}

const flagOf = ({ user }: Child): Promise<FlagRow | undefined> =>
  owner('sub_flag_indicator').where({ studentId: user.id, patternKey: pattern }).first();
const alertsOf = ({ user }: Child) => owner('platform_alert').where({ studentId: user.id });
const practisedHints = ({ user }: Child) =>
  owner('practice_served_item as i')
    .join('practice_queue as q', 'q.id', 'i.queueId')
    .where('q.studentId', user.id)
    .whereNotNull('i.hintPatternKey')
    .select('i.id', 'i.hintPatternKey');

/** A child who practises letters, sounds and first words, with many dots. */
async function childWithDiagnostic() {
  const kid = await practisingChild(app, world.own);
  return { kid, sessionId: await kid.finishDiagnostic() };
}

/** Answers with the pattern wherever possible until the flag reaches a level. */
async function practiseUntil(kid: Child, level: number): Promise<void> {
  for (let steps = 0; steps < 15; steps++) {
    if (((await flagOf(kid))?.level ?? 0) >= level) return;
    await kid.step(showing(pattern));
  }
}

test('L1 silent, L2 hints and their record, L3 one informational alert', async () => {
  const { kid, sessionId } = await childWithDiagnostic();
  await kid.seed(sessionId);
  await practiseUntil(kid, 1);
  const candidate = await flagOf(kid);
  assert.is(candidate?.state, 'candidate');
  assert.is(candidate?.code, 'AR_ORTHOGRAPHIC_CONFUSION_FLAG');
  assert.is(candidate?.ruleVersion, shippedStamp('subflag'));
  await practiseUntil(kid, 2);
  assert.is((await flagOf(kid))?.state, 'automatic_support_active');
  assert.is((await alertsOf(kid)).length, 0, 'no alert below L3');
  const rest = await kid.workOff();
  const hinted = rest.filter(({ support }) => support !== null);
  assert.ok(hinted.length > 0, 'an item that can show the pattern came');
  assert.ok(hinted.every(({ support }) => support?.kind === 'hint' && support.textAr.length > 0));
  assert.is((await practisedHints(kid)).length, hinted.length);
  app.clock.advance(60_000);
  await kid.seed(sessionId);
  await practiseUntil(kid, 3);
  assert.is((await flagOf(kid))?.state, 'teacher_alert_active');
  await kid.workOff(showing(pattern));
  const alerts = await alertsOf(kid);
  assert.is(alerts.length, 1, 'once');
  assert.is(alerts[0].severity, 'low');
  assert.is(alerts[0].kind, 'sub_flag');
});

test('the same item again shows its hint again and records one delivery', async () => {
  const { kid, sessionId } = await childWithDiagnostic();
  await kid.seed(sessionId);
  await practiseUntil(kid, 2);
  let next = (await kid.next()).body;
  while (next.served && next.support === null) {
    await kid.step();
    next = (await kid.next()).body;
  }
  assert.ok(next.support);
  assert.equal((await kid.next()).body, next);
  assert.is((await practisedHints(kid)).length, 1);
});

test('rapid answers do not count', async () => {
  const { kid, sessionId } = await childWithDiagnostic();
  await kid.seed(sessionId);
  for (let steps = 0; steps < 10; steps++) await kid.step(showing(pattern), 300);
  assert.is(await flagOf(kid), undefined);
});

test('the teacher reads the alert, newest first; another class does not see it', async () => {
  const { people, classRow, classElsewhere } = world.own;
  const path = `/api/classes/${classRow.id}/platform-alerts`;
  const { status, body } = await app.get<{ items: Record<string, unknown>[] }>(path, { token: people.TEACHER.token });
  assert.is(status, 200);
  const [alert] = body.items;
  assert.equal(Object.keys(alert ?? {}).sort(), ['alertId', 'at', 'code', 'kind', 'severity', 'studentId']);
  assert.is(alert?.code, 'AR_ORTHOGRAPHIC_CONFUSION_FLAG');
  assert.is((await app.get(path, { token: people.PRINCIPAL.token })).status, 200);
  assert.is((await app.get(path, { token: people.STUDENT.token })).status, 403);
  assert.is((await app.get(path, { token: people.PARENT.token })).status, 403);
  const elsewhere = `/api/classes/${classElsewhere.id}/platform-alerts`;
  const other = await app.get<{ items: unknown[] }>(elsewhere, { token: people.ADMIN.token });
  assert.equal(other.body.items, []);
});

test('the class page lists critical checks of its students, page by page, and old codes under their present name', async () => {
  const { organizationId, people, classRow } = world.own;
  const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 8, 0, second)).toISOString();
  const row = (second: number, changes: object) => ({
    ...{ organizationId, studentId: people.STUDENT.id, kind: 'qa', code: 'QA-01', severity: 'critical' },
    ...{ details: '{}', at: at(second), dedupeKey: `test-${second}` },
    ...changes,
  });
  await owner('platform_alert').insert([
    row(1, {}),
    row(2, { severity: 'high' }),
    row(3, { kind: 'sub_flag', severity: 'low', code: 'AR_LETTER_CONFUSION_FLAG' }),
    row(4, { studentId: people['STUDENT elsewhere'].id }),
    row(5, { studentId: null }),
  ]);
  interface Page {
    items: { code: string; at: string }[];
    nextCursor: string | null;
  }
  const read = (cursor: string) =>
    app.get<Page>(`/api/classes/${classRow.id}/platform-alerts?limit=1${cursor}`, { token: people.TEACHER.token });
  const first = (await read('')).body;
  const second = (await read(`&cursor=${first.nextCursor}`)).body;
  assert.equal(
    [...first.items, ...second.items].map(({ code, at: moment }) => [code, moment]),
    [
      ['AR_ORTHOGRAPHIC_CONFUSION_FLAG', at(3)],
      ['QA-01', at(1)],
    ],
  );
});

/** Every table with its number of rows and a checksum of them. */
async function everything(): Promise<Record<string, string>> {
  const { rows } = await owner.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sums } = await owner.raw(
      'select count(*) || md5(coalesce(string_agg(t::text, chr(10) order by t::text), ?)) as sum from ?? t',
      ['', name],
    );
    found[name] = sums[0].sum;
  }
  return found;
}

test('an escalation to L3 changes no score, status, profile, level or tier: it writes its own tables only', async () => {
  const { kid, sessionId } = await childWithDiagnostic();
  const { services } = app;
  const organizationId = world.own.organizationId;
  const year = { organizationId, studentId: kid.user.id, schoolYear };
  await kid.seed(sessionId);
  await practiseUntil(kid, 2);
  await kid.workOff();
  app.clock.advance(60_000);
  await kid.seed(sessionId);
  await kid.workOff(showing(pattern));
  await recomputeStudents(services, organizationId, [kid.user.id], 'practice_completed');
  const newestRun = () => owner('sse_run').where({ studentId: kid.user.id }).orderBy('seq', 'desc').first('resultHash');
  const runBefore = await newestRun();
  await owner.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    for (const table of ['sub_flag_indicator', 'sub_flag_event', 'platform_alert'])
      await trx(table).where({ studentId: kid.user.id }).delete();
  });
  const before = await everything();
  await inContext(services.db, { organizationId }, (trx) => services.training.escalate(trx, year, app.clock.now()));
  assert.is((await flagOf(kid))?.level, 3);
  const after = await everything();
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  assert.equal(changed, ['platform_alert', 'sub_flag_event', 'sub_flag_indicator']);
  await recomputeStudents(services, organizationId, [kid.user.id], 'practice_completed');
  assert.equal(await newestRun(), runBefore);
  const settled = await everything();
  await inContext(services.db, { organizationId }, (trx) => services.training.escalate(trx, year, app.clock.now()));
  assert.equal(await everything(), settled, 'a repeated call changes nothing');
});

test('the database refuses a decreasing count and a changed event', async () => {
  const falling = owner('sub_flag_indicator').update({ validOccurrences: 1, level: 1 }).where('level', '>', 1);
  assert.match(await messageOf(falling), 'only rise');
  assert.match(await messageOf(owner('sub_flag_event').delete()), 'append-only');
  assert.match(await messageOf(owner('platform_alert').delete()), 'append-only');
});

const messageOf = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );

const bank = await itemBanks().current();

/** Answers the planned items of a warm-up, each with a revealing option; returns how many. */
async function warmUp(token: string, sessionType: string): Promise<number> {
  const { body } = await app.post<{ warmupSessionId: string; items: { itemId: string }[] }>(
    '/api/warmup/sessions',
    { sessionType },
    { token },
  );
  const choices = body.items.slice(0, 15).map(({ itemId }) => {
    const item = bank.find(itemId);
    const revealing = item?.options.find(({ microPattern }) => microPattern !== null);
    return {
      itemId,
      selectedOptionIndex: revealing?.index ?? item?.correctIndex ?? 0,
      reveals: revealing !== undefined,
    };
  });
  const events = choices.map(({ itemId, selectedOptionIndex }, at) => {
    return { seq: at + 1, type: 'answer', atMs: 3000 * (at + 1), itemId, selectedOptionIndex };
  });
  const path = `/api/warmup/sessions/${body.warmupSessionId}`;
  app.clock.advance(60_000);
  assert.is((await app.post(`${path}/events`, { events }, { token })).status, 200);
  await app.post(`${path}/complete`, {}, { token });
  return choices.filter(({ reveals }) => reveals).length;
}

test('TRAINING warm-ups are training, INTERVENTION_PRACTICE is not', async () => {
  const kid = await practisingChild(app, world.own);
  const { organizationId } = world.own;
  const escalate = () =>
    inContext(app.services.db, { organizationId }, (trx) =>
      app.services.training.escalate(trx, { organizationId, studentId: kid.user.id, schoolYear }, app.clock.now()),
    );
  const counted = async () => {
    const rows: FlagRow[] = await owner('sub_flag_indicator').where({ studentId: kid.user.id });
    return rows.reduce((sum, { validOccurrences }) => sum + validOccurrences, 0);
  };
  assert.ok(
    (await warmUp(await kid.token(), 'INTERVENTION_PRACTICE')) > 0,
    'the plan holds items that reveal something',
  );
  await escalate();
  assert.is(await counted(), 0);
  const shown = await warmUp(await kid.token(), 'TRAINING');
  await escalate();
  assert.is(await counted(), shown);
});

test.run();
