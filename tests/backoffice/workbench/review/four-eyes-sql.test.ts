// Four eyes in the database: the one who finds a way to run SQL as the run-time role can still not make rules of their own,
// speak in another's name, or move what a row was made with.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { useApp } from '../../../harness/http.ts';
import { addressOf, beginChange, type Json } from '../backoffice.ts';
import { buildReviewed, type Reviewed, rowsAbout } from './four-eyes-rows.ts';

const app = useApp(test, { rules: true });
const { owner, app: runtime } = app.database;
const now = new Date('2026-01-12T08:00:00.000Z');
let reviewed: Reviewed;

test.before(async () => {
  reviewed = await buildReviewed(app);
});

class Undone extends Error {}

/** What the database says to `work` of the run-time role under this name; nothing of it stays. */
async function errorOf(writer: number | null, work: (trx: Trx) => PromiseLike<unknown>): Promise<string> {
  const attempt = inContext(runtime, 'SUPER', async (trx) => {
    const named = { operation: 'test', requestId: 'test' };
    if (writer !== null) await app.services.nameWriter(trx, { ...named, actorUserId: writer }, now);
    await work(trx);
    throw new Undone('accepted');
  });
  return attempt.then(
    () => 'accepted',
    (error: Error) => error.message,
  );
}

const { version, approval, activation, schedule, auditEntry, newChange, engineFallback, attestation } = rowsAbout(
  () => reviewed,
);

const updated = (change: Json) => (trx: Trx) => trx('rule_change').where({ id: reviewed.change.id }).update(change);
const ofText = (trx: Trx) => trx('rule_change_document').where({ changeId: reviewed.change.id });
/** A text in the change in review. */
const added = (trx: Trx) =>
  trx('rule_change_document').insert({ ...reviewed.text, constants: '[]', key: 'other', version: 9 });
/** Deferred guards speak at the end of the transaction. */
const ended = (work: (trx: Trx) => PromiseLike<unknown>) => async (trx: Trx) => {
  await work(trx);
  await trx.raw('set constraints all immediate');
};
const completed = async (trx: Trx) => {
  await approval(second())(trx);
  await version()(trx);
};

type Attempt = readonly [string, () => number | null, () => (trx: Trx) => PromiseLike<unknown>, RegExp];
const author = () => reviewed.office.author.id;
const editor = () => reviewed.office.editor.id;
const approver = () => reviewed.office.approver.id;
const second = () => reviewed.office.secondApprover.id;
const nobody = () => null;

const refusals: readonly Attempt[] = [
  ['a version without an author', nobody, () => version({ authorUserId: null }), /comes with a release/],
  ['a version that lacks an approval of its quorum', second, () => version(), /that was approved/],
  ['a version with one approval of two', approver, () => version({ approvedBy: [approver()] }), /that was approved/],
  ['a version of no change', second, () => version({ version: 3 }), /that was approved/],
  [
    'a version by another author',
    second,
    () => version({ authorUserId: second(), approvedBy: [approver()] }),
    /approved/,
  ],
  ['a version whose editor is left out', second, () => version({ editorUserIds: [] }), /that was approved/],
  ['an approval in another’s name', author, () => approval(second()), /is who writes it/],
  ['an approval in no one’s name', nobody, () => approval(second()), /is who writes it/],
  ['an approval by the author', author, () => approval(author()), /own change/],
  ['an approval by an editor', editor, () => approval(editor()), /own change/],
  ['an approval of another text', second, () => approval(second(), { sha256: 'a'.repeat(64) }), /in review/],
  ['an approval under another quorum', second, () => approval(second(), { quorum: 1 }), /in review/],
  ['an approval of an earlier request', second, () => approval(second(), { submission: 0 }), /in review/],
  ['an installation', author, () => activation({ kind: 'install' }), /only a release/],
  ['an activation in another’s name', author, () => activation({ activatedBy: second() }), /name of who asks/],
  ['an activation in no one’s name', nobody, () => activation({ activatedBy: null }), /name of who asks/],
  ['an activation of what is not published', author, () => activation({}, { 'cbm/trend': 99 }), /shipped and approved/],
  ['an activation with an invented approver', author, () => activation({ approvedBy: [second()] }), /approved nothing/],
  ['a schedule in another’s name', author, () => schedule(second()), /is who writes it/],
  ['an audit entry in another’s name', author, () => auditEntry(second()), /is who writes it/],
  ['an audit entry in no one’s name', nobody, () => auditEntry(second()), /is who writes it/],
  ['a change in another’s name', author, () => newChange(second()), /is who writes it/],
  ['a change that begins in review', author, () => newChange(author(), { state: 'validated' }), /begins as a draft/],
  ['an engine fallback by hand', author, () => engineFallback('cbm/trend@1'), /by hand/],
  ['an engine fallback of nothing', nobody, () => engineFallback('cbm/trend@9'), /published version/],
  ['an attestation by hand', author, () => attestation(newId()), /by hand/],
  ['an attestation of no replay', nobody, () => attestation(newId()), /nightly replay/],
  ['a title in review that changes', author, () => updated({ title: 'Another' }), /in review does not change/],
  [
    'a text in review that changes',
    author,
    () => (trx) => ofText(trx).update({ cases: null, casesSha256: null }),
    /is a draft/,
  ],
  ['a text in review that leaves', author, () => (trx) => ofText(trx).delete(), /is a draft/],
  ['a text that joins in review', author, () => added, /is a draft/],
  ['what a check found, in review', author, () => (trx) => ofText(trx).update({ level: 'patch' }), /is not checked/],
  [
    'a change in review that is deleted',
    author,
    () => (trx) => trx('rule_change').where({ id: reviewed.change.id }).delete(),
    /submitted stays/,
  ],
  ['a step that the life of a change does not have', author, () => updated({ state: 'validated' }), /does not become/],
  ['a submission that is not counted', author, () => updated({ submission: 5 }), /counted once/],
  ['a publication without its version', second, () => ended(updated({ state: 'published' })), /all of its documents/],
  ['a version without its publication', second, () => ended(completed), /published with its change/],
  ['a quorum that falls', author, () => updated({ quorum: 1 }), /quorum/],
  ['an editor who is forgotten', author, () => updated({ editorUserIds: [] }), /stays its editor/],
  ['a change of another author', author, () => updated({ authorUserId: second() }), /permission denied/],
];

for (const [what, writer, work, words] of refusals) {
  test(`the run-time role is refused ${what}`, async () => {
    assert.match(await errorOf(writer(), work()), words);
  });
}

const allowances: readonly (readonly [string, () => number | null, () => (trx: Trx) => PromiseLike<unknown>])[] = [
  [
    'an own approval, and with it the version',
    second,
    () =>
      ended(async (trx) => {
        await completed(trx);
        await updated({ state: 'published' })(trx);
      }),
  ],
  ['an activation in the own name', author, () => activation()],
  ['a schedule in the own name', author, () => schedule(author())],
  ['an own change', author, () => newChange(author())],
  ['a return', second, () => updated({ state: 'draft' })],
  ['an entry in the own name', author, () => auditEntry(author())],
  ['a fallback that the service found', nobody, () => engineFallback('cbm/trend@1')],
];

for (const [what, writer, work] of allowances) {
  test(`the run-time role is allowed ${what}`, async () => {
    assert.is(await errorOf(writer(), work()), 'accepted');
  });
}

test('who changes a text is named as its editor', async () => {
  const made = await beginChange(reviewed.office.author, 'cbm/trend');
  const { changeId } = made.body;
  const change = (editorUserIds: number[]) => async (trx: Trx) => {
    await trx('rule_change').where({ id: changeId }).update({ editorUserIds });
    await trx('rule_change_document').where({ changeId }).update({ cases: null, casesSha256: null });
  };
  assert.match(await errorOf(second(), change([])), /named as its editor/);
  assert.match(await errorOf(null, change([second()])), /named as its editor/);
  assert.is(await errorOf(second(), change([second()])), 'accepted');
  const renamed = (trx: Trx) => trx('rule_change').where({ id: changeId }).update({ title: 'Another' });
  assert.match(await errorOf(second(), renamed), /named as its editor/);
});

test('a document is in a change once, and a comment stays until its change is gone', async () => {
  const made = await beginChange(reviewed.office.author, 'cbm/trend');
  const { changeId } = made.body;
  const twice = async (trx: Trx) => {
    const [row] = await trx('rule_change_document').where({ changeId });
    await trx('rule_change_document').insert({ ...row, constants: '[]' });
  };
  assert.match(await errorOf(author(), twice), /rule_change_document_pkey/);
  const commented = await reviewed.office.author.post(`${addressOf(made)}/comments`, { text: 'Why?' });
  assert.is(commented.status, 201, JSON.stringify(commented.body));
  const comment = (trx: Trx) => trx('rule_comment').where({ changeId });
  assert.match(
    await errorOf(author(), (trx) => comment(trx).update({ text: 'x' })),
    /permission denied|as it was written/,
  );
  const byOwner = await owner('rule_comment')
    .where({ changeId })
    .delete()
    .catch((error: Error) => error.message);
  assert.match(String(byOwner), /as it was written/);
  const seen = { 'if-match': String(made.body.etag) };
  assert.is((await reviewed.office.author.request('DELETE', addressOf(made), undefined, seen)).status, 204);
  assert.equal(await owner('rule_comment').where({ changeId }), []);
});

/** By table, what a row is made with; all else of it may change. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  refresh_token: ['token_hash', 'session_id'],
  auth_session: ['id', 'user_id', 'expires_at', 'created_at'],
  diagnostic_session: ['id', 'organization_id', 'student_id', 'pinned', 'started_at'],
  warmup_session: ['id', 'organization_id', 'student_id', 'pinned', 'started_at'],
  practice_queue: ['id', 'organization_id', 'student_id', 'pinned'],
  orf_assessment: ['id', 'organization_id', 'student_id'],
  cbm_alert: ['id', 'organization_id', 'student_id'],
  sub_flag_indicator: ['organization_id', 'student_id'],
  teaser_session: ['id'],
  rule_change: ['id', 'author_user_id', 'created_at', 'sha256'],
  rule_change_document: ['change_id', 'family', 'key'],
};

test('what a row was made with is not the run-time role’s to change', async () => {
  const changeable: { table: string; column: string }[] = (
    await owner.raw(`select c.table_name as table, c.column_name as column from information_schema.columns c
      where c.table_schema = 'public' and has_column_privilege('literacy_app', c.table_name::regclass, c.column_name, 'update')`)
  ).rows;
  const open = changeable.filter(({ table, column }) => fixed[table]?.includes(column));
  assert.equal(open, []);
  const ofTokens = changeable.filter(({ table }) => table === 'refresh_token').map(({ column }) => column);
  assert.equal(ofTokens, ['used_at']);
  const ofSessions = changeable.filter(({ table }) => table === 'auth_session').map(({ column }) => column);
  assert.equal(ofSessions.sort(), ['revoked_at', 'revoked_reason']);
});

test.run();
