// timeout: 180s
// Removes one by one the guards between one member of the backoffice and a rule of their own: those of the service and,
// separately, those of the database.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { buildReviewed, type Reviewed, rowsAbout } from '../../backoffice/workbench/review/four-eyes-rows.ts';
import { buildSuperAdmin, signIn, type UserRow } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { noGeneralLimits } from '../support.ts';
import { accepted, type Change, disabled, type Fault, only, plant, tampered, withServices } from './harness.ts';

const app = useApp(test, { rules: true, settings: noGeneralLimits, ownEntries: true });
const { owner } = app.database;
const { config } = app.services;
const rows = rowsAbout(() => reviewed);
let reviewed: Reviewed;
let author: UserRow;

test.before(async () => {
  reviewed = await buildReviewed(app);
  author = await owner('app_user').where({ id: reviewed.office.author.id }).first();
});

const second = () => reviewed.office.secondApprover.id;
const waiting: Change = {
  wiring: (parts) => withServices({ config: { ...config, approverWaitHours: 72 } })(parts),
};

/** Approves a text that differs from the change: after the checks of the caller, the response is CONFLICT. */
async function approvalBy(client: HttpClient, user: UserRow): Promise<number> {
  const input = { sha256: 'f'.repeat(64) };
  return (await client.post(`${reviewed.address}/approve`, input, { token: await signIn(app, user) })).status;
}

const isRefused = async (writer: number | undefined, work: (trx: Trx) => PromiseLike<unknown>) =>
  !(await accepted(app, { context: 'SUPER', ...(writer !== undefined && { writer }) }, work));

const resolveOf = (operation: string): Route['resolve'] =>
  allRoutes().find((route) => route.operation === operation)?.resolve;

const updated = (change: object) => (trx: Trx) => trx('rule_change').where({ id: reviewed.change.id }).update(change);
const ofText = (trx: Trx) => trx('rule_change_document').where({ changeId: reviewed.change.id });
/** Deferred guards speak at the end of the transaction. */
const ended = (work: (trx: Trx) => PromiseLike<unknown>) => async (trx: Trx) => {
  await work(trx);
  await trx.raw('set constraints all immediate');
};

async function secondEditOfCases(client: HttpClient): Promise<number> {
  const token = await signIn(app, author);
  const changes = '/api/admin/rule-changes';
  const documents = [{ family: 'cbm', key: 'trend' }];
  const made = await client.post<{ changeId: string }>(changes, { title: 'Cases', documents }, { token });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const path = `${changes}/${made.body.changeId}/documents/cbm/trend`;
  const { etag } = (await client.get<{ etag: string }>(path, { token })).body;
  const headers = { 'if-match': etag };
  const edit = () => client.put(path, { cases: [] }, { token, headers });
  assert.is((await edit()).status, 200);
  return (await edit()).status;
}

const service: readonly Fault[] = [
  {
    name: 'no author approves an own text: the check of the service',
    holds: async (client) => (await approvalBy(client, author)) === 403,
    without: {
      routes: only('approveRuleChange', (route) => ({ ...route, resolve: resolveOf('getRuleChange') })),
    },
  },
  {
    name: 'the wait of a new approver',
    holds: async (client) =>
      (await approvalBy(client, await buildSuperAdmin(owner, { createdAt: app.clock.now() }))) === 403,
    given: waiting,
    without: { wiring: (parts) => withServices({ config: { ...config, approverWaitHours: 0 } })(parts) },
  },
  {
    name: 'the audit log of changes to an approver’s account',
    holds: async (client) => {
      const approver = await buildSuperAdmin(owner);
      const token = await signIn(app, author);
      for (const act of ['deactivate', 'reactivate'])
        await client.post(`/api/users/${approver.id}/${act}`, {}, { token });
      return (await approvalBy(client, approver)) === 403;
    },
    given: waiting,
    without: { database: tampered('audit_entry', 'insert', 'return null;') },
  },
  {
    name: 'the ETag of text and cases (one that every edit matches)',
    holds: async (client) => (await secondEditOfCases(client)) === 412,
    without: {
      database: tampered(
        'rule_change_document',
        'update',
        'new.cases := old.cases; new.cases_sha256 := old.cases_sha256; return new;',
      ),
    },
  },
];

type Wall = readonly [name: string, table: string, trigger: string, holds: () => Promise<boolean>];

const walls: readonly Wall[] = [
  [
    'a version without an author',
    'rule_version',
    'rule_version_guard',
    () => isRefused(undefined, rows.version({ authorUserId: null, editorUserIds: [], approvedBy: [] })),
  ],
  ['a version without its approvals', 'rule_version', 'rule_version_guard', () => isRefused(second(), rows.version())],
  [
    'an activation in another’s name',
    'rule_activation',
    'rule_activation_guard',
    () => isRefused(author.id, rows.activation({ activatedBy: second() })),
  ],
  [
    'an activation of an unapproved version',
    'rule_activation',
    'rule_activation_guard',
    () => isRefused(author.id, rows.activation({}, { 'cbm/trend': 99 })),
  ],
  [
    'an approval in another’s name',
    'rule_change_approval',
    'rule_change_approval_own_name',
    () => isRefused(author.id, rows.approval(second())),
  ],
  [
    'an approval of an own change',
    'rule_change_approval',
    'rule_change_approval_guard',
    () => isRefused(author.id, rows.approval(author.id)),
  ],
  [
    'an approval of another text',
    'rule_change_approval',
    'rule_change_approval_guard',
    () => isRefused(second(), rows.approval(second(), { sha256: 'a'.repeat(64) })),
  ],
  [
    'a title in review that changes',
    'rule_change',
    'rule_change_guard',
    () => isRefused(author.id, updated({ title: 'Another' })),
  ],
  [
    'a text in review that changes',
    'rule_change_document',
    'rule_change_document_guard',
    () => isRefused(author.id, (trx) => ofText(trx).update({ cases: null, casesSha256: null })),
  ],
  ['a quorum that falls', 'rule_change', 'rule_change_request', () => isRefused(author.id, updated({ quorum: 1 }))],
  [
    'an editor who is forgotten',
    'rule_change',
    'rule_change_editors',
    () => isRefused(author.id, updated({ editorUserIds: [] })),
  ],
  [
    'a change in another’s name',
    'rule_change',
    'rule_change_own_name',
    () => isRefused(author.id, rows.newChange(second())),
  ],
  [
    'a publication without its version',
    'rule_change',
    'rule_change_publication',
    () => isRefused(second(), ended(updated({ state: 'published' }))),
  ],
  [
    'a version without its publication',
    'rule_version',
    'rule_version_change',
    () =>
      isRefused(
        second(),
        ended(async (trx) => {
          await rows.approval(second())(trx);
          await rows.version()(trx);
        }),
      ),
  ],
  [
    'a schedule in another’s name',
    'rule_schedule',
    'rule_schedule_own_name',
    () => isRefused(author.id, rows.schedule(second())),
  ],
  [
    'an audit entry in another’s name',
    'audit_entry',
    'audit_entry_own_name',
    () => isRefused(author.id, rows.auditEntry(second())),
  ],
  [
    'a manual engine fallback',
    'rule_engine_fallback',
    'rule_engine_fallback_by_service',
    () => isRefused(author.id, rows.engineFallback('cbm/trend@1')),
  ],
  [
    'an engine fallback of no version',
    'rule_engine_fallback',
    'rule_engine_fallback_guard',
    () => isRefused(undefined, rows.engineFallback('cbm/trend@9')),
  ],
  [
    'a published version that changes, even by the owner',
    'rule_version',
    'rule_version_append_only',
    async () =>
      !(await accepted(app, { context: 'SUPER', by: owner }, (trx) =>
        trx('rule_version').update({ publishedAt: new Date(0) }),
      )),
  ],
];

plant(test, app, [
  ...service,
  ...walls.map(([name, table, trigger, holds]) => ({
    name: `refused by the database: ${name}`,
    holds,
    without: { database: disabled(table, trigger) },
  })),
]);

test.run();
