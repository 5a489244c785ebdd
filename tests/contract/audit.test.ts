// timeout: 300s
// Calls every writing operation as a permitted caller: the audit entries must equal the changes that the database saw
// in audited tables. Other tables that such a caller writes are listed here with the reason why they have no audit
// entries.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '#core/http/route.ts';
import { jobsOf } from '#core/module/capability.ts';
import { useApp } from '../harness/http.ts';
import { differencesOf } from '../harness/statements/audit-oracle.ts';
import { buildWorld } from '../harness/world.ts';
import { noQueues } from '../workers/support.ts';
import { entryOf } from './entries/index.ts';
import { type Caller, callers, expectedStatus } from './operations/access.ts';
import { tabled } from './operations/table.ts';
import { RouteCaller, requestableRoutes, type Targets, targetsOf } from './requests/route-caller.ts';

const app = useApp(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' } });
const { owner } = app.database;
let routeCaller: RouteCaller;
let targets: Targets;

test.before(async () => {
  const world = await buildWorld(app);
  routeCaller = new RouteCaller(app, world);
  targets = targetsOf(app, world);
  await owner.raw(noteTables);
});

/** Returns the tables that are written while a writer is named. */
const noteTables = `
  create table audit_oracle.written (table_name text primary key);
  create function audit_oracle.note_table() returns trigger language plpgsql security definer as $$
  begin
    if nullif(current_setting('app.writer', true), '') is not null then
      insert into audit_oracle.written values (tg_table_name) on conflict do nothing;
    end if;
    return null;
  end $$;
  do $$
  declare
    one text;
  begin
    for one in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition loop
      execute format('create trigger audit_oracle_table after insert or update or delete on %I
        for each statement execute function audit_oracle.note_table()', one);
    end loop;
  end $$`;

const isWrite = ({ method, operation }: Route) => method !== 'get' || operation === 'exportStudentData';

function admitted({ operation }: Route): Caller | undefined {
  const tabledOne = tabled(operation);
  const { expect } = entryOf(operation);
  if (!tabledOne || (typeof expect === 'number' && expect >= 300)) return undefined;
  return callers.find((caller) => {
    const wanted = typeof expect === 'number' ? expect : (expect?.[caller] ?? expectedStatus(tabledOne, caller));
    return wanted < 300;
  });
}

const writes = requestableRoutes().filter(isWrite);

test('the writing operations are found', () => assert.ok(writes.length >= 60));

for (const route of writes) {
  const caller = admitted(route);
  test(`${route.operation}${caller === undefined ? ', refused' : ''}: entries equal the changes`, async () => {
    const { status, body } = await routeCaller.call(route, caller ?? 'SUPER', targets.everyOwn);
    await app.services.securityEvents.settled();
    assert.equal(await differencesOf(owner), []);
    assert.is(status < 300, caller !== undefined, JSON.stringify(body));
  });
}

/** Responses of students are stored in their own append-only tables with their author. */
const evidence = 'evidence';

/** Tables without audit entries that signed-in callers write. */
const unrecorded: Readonly<Record<string, string>> = {
  ...{
    audit_entry: 'the record itself',
    security_event: 'a record of its own',
    outbox: 'events for subscribers',
  },
  ...{ idempotent_answer: 'stored for a day', attempt_window: 'counts of failed tries' },
  ...{ auth_session: 'sign-ins leave security events', handoff_code: 'as sign-ins', password_recovery: 'as sign-ins' },
  lms_oauth_state: 'waits for a browser; the connection is audited',
  ...{ totp_recovery_code: 'deleted with totp', totp_spent_code: 'as sign-ins', sign_in_name: 'deleted with app_user' },
  user_search_key: 'kept by a trigger of app_user',
  ...{ rule_bundle: 'never changes; the activation of it is recorded' },
  ...{ session_blueprint: 'never changes; the approval of its import is recorded' },
  ...{ diagnostic_session: evidence, diagnostic_served_item: evidence, diagnostic_response: evidence },
  ...{ diagnostic_estimate: evidence, practice_queue: evidence, rbm_log: evidence },
  ...{ warmup_session: evidence, warmup_item: evidence, warmup_event: evidence },
  ...{ student_support: 'a lock only', profile_assignment: 'a ledger of results' },
  ...{ fidelity_snapshot: 'a ledger of results', fidelity_current: 'the newest of those' },
  cluster_generation: 'results, for a while',
  ...{ client_log: 'reports of browsers, for a limited time', client_log_batch: 'belongs to them' },
  ...{ notification: 'the recipient’s own inbox', notification_request: 'belongs to them' },
  ...{ report_file: 'belongs to its job', report_file_student: 'belongs to its file' },
  ...{ workflow_draft: 'unfinished work of a teacher, for a limited time' },
  ...{ session_response: evidence, session_audit: 'the past of a session, as its teachers read it' },
  ...{ skill_state: 'a ledger of results', rti_evaluation: 'a ledger of results' },
  ...{ skill_measurement: 'results', skill_state_cursor: 'position in the results' },
  ...{ live_event: 'a ledger of events', live_client_event: 'belongs to them', live_playlist: 'a ledger' },
  ...{ live_participant: evidence, live_join_code: 'belongs to live_session' },
  ...{ live_response: evidence, live_observation: evidence, live_segment: 'a ledger of results' },
  ...{ live_own_run: 'its changes are live events' },
  live_projector_seat: 'belongs to live_projector_run',
  xp_transaction: 'belongs to student_badge_rescind',
  ...{ live_group: 'for one lesson; its changes are live events', live_group_member: 'belongs to live_group' },
  reward_celebration: 'shown to the student',
  ...{ lms_preview_row: 'belongs to lms_preview', lms_source_row: 'belongs to lms_connection' },
  ...{ lms_person: 'the last state of the source', lms_enrollment: 'as lms_person' },
  lms_turn: 'who was served when',
  ...{ lms_sync_run: 'its own history', lms_change: 'belongs to lms_sync_run' },
  ...{ orf_assessment: evidence, cbm_trend: evidence },
};

test('every table written without an entry is listed with its reason', async () => {
  const written: string[] = await owner('audit_oracle.written').orderBy('table_name').pluck('table_name');
  const audited = new Set(app.services.capabilities.flatMap(({ audited = {} }) => Object.keys(audited)));
  assert.equal(
    written.filter((table) => !audited.has(table) && !Object.hasOwn(unrecorded, table)),
    [],
  );
  const { rows } = await owner.raw("select tablename as name from pg_tables where schemaname = 'public'");
  const tables = new Set(rows.map(({ name }: { name: string }) => name));
  assert.equal(
    Object.keys(unrecorded).filter((table) => audited.has(table) || !tables.has(table)),
    [],
  );
});

test('jobs leave no entries for audited tables', async () => {
  const { schedules } = jobsOf(app.services.capabilities);
  const before = await owner('audit_entry').max('id as last').first();
  app.clock.advance(400 * 24 * 60 * 60 * 1000);
  for (const { run } of schedules) await run(app.services, noQueues);
  assert.equal(await differencesOf(owner), []);
  assert.equal(await owner('audit_entry').max('id as last').first(), before);
});

test.run();
