// Drafts that were stored before there were changes: open ones are asked anew, closed ones stay as they are.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { canonicalHash, canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { copyDrafts, removeDraftReports } from '../../../../migrations/sql/drafts-as-changes.ts';
import { useDatabase } from '../../../harness/database.ts';

const { owner } = useDatabase(test);
const at = new Date('2026-01-12T08:00:00.000Z');
const document = canonicalJson({ meta: { family: 'cbm', key: 'trend', version: 4 } });
const sha256 = sha256Hex(document);
const golden = { name: 'one', facts: {}, expected: [] };

test.before(async () => {
  await owner.raw(`
    create table rule_draft (id text primary key, family text, key text, base_version integer, state text, document text,
      sha256 text, cases text, level text, findings jsonb, mutation_score numeric, quorum integer, decline_reason text,
      author_user_id bigint, editor_user_ids bigint[], created_at timestamptz, updated_at timestamptz, submission integer,
      origin jsonb);
    create table rule_approval (draft_id text, user_id bigint, sha256 text, report_hash text, at timestamptz, quorum integer,
      submission integer, ledger_no bigint generated always as identity);
  `);
});

async function stored(state: string, more: object = {}): Promise<string> {
  const id = newId();
  await owner('rule_draft').insert({
    ...{ id, family: 'cbm', key: 'trend', baseVersion: 3, state, document, sha256, cases: canonicalJson([golden]) },
    ...{ level: 'minor', quorum: 1, submission: 1, authorUserId: 1, editorUserIds: [2], createdAt: at, updatedAt: at },
    findings: JSON.stringify([{ level: 'warning', code: 'OVERLAP', ruleIds: [], message: 'x' }]),
    ...more,
  });
  return id;
}

test('each draft becomes a change of one document, once, with its approvals', async () => {
  const open = await stored('in_review');
  const closed = await stored('rejected', { declineReason: 'wording', cases: '[]' });
  await owner('rule_approval').insert({ draftId: closed, userId: 3, sha256, at, quorum: 1, submission: 1 });
  await owner.transaction((trx) => copyDrafts(trx));
  await owner.transaction((trx) => copyDrafts(trx));
  const changes = await owner('rule_change').whereIn('id', [open, closed]);
  const of = (id: string) => changes.find((one) => one.id === id);
  assert.is(changes.length, 2);
  assert.equal(
    [of(open).state, of(open).findings, of(open).submission, of(open).editorUserIds],
    ['draft', null, 1, [2]],
  );
  assert.equal([of(closed).state, of(closed).declineReason], ['rejected', 'wording']);
  assert.is(of(closed).findings, null, 'findings of before have no arguments');
  const texts = await owner('rule_change_document').whereIn('changeId', [open, closed]);
  assert.equal(
    texts.map(({ baseVersion, version }) => [baseVersion, version]),
    [
      [3, 4],
      [3, 4],
    ],
  );
  const text = texts.find(({ changeId }) => changeId === open);
  assert.is(text.casesSha256, canonicalHash({ cases: [golden] }));
  const named = { 'cbm/trend': { baseVersion: 3, sha256, casesSha256: text.casesSha256 } };
  assert.is(of(open).sha256, canonicalHash({ title: 'cbm/trend@4', why: '', documents: named }));
  const approvals = await owner('rule_change_approval').where({ changeId: closed });
  assert.equal(
    approvals.map((one) => [one.userId, one.sha256]),
    [[3, sha256]],
  );
});

test('the guards are back afterwards, and reports about drafts are gone', async () => {
  const refused = await owner('rule_change')
    .where({ state: 'rejected' })
    .update({ title: 'Another' })
    .catch((error) => error.message);
  assert.match(String(refused), /does not change/);
  const job = {
    organizationId: 'platform',
    kind: 'impact',
    subject: 'x',
    state: 'queued',
    createdAt: at,
    updatedAt: at,
  };
  await owner('rule_job').insert({ ...job, id: 'old', input: JSON.stringify({ draftId: 'x' }) });
  await owner('rule_job').insert({ ...job, id: 'new', input: JSON.stringify({ changeId: 'x' }) });
  await owner.transaction((trx) => removeDraftReports(trx));
  assert.equal(
    (await owner('rule_job').select('id')).map(({ id }) => id),
    ['new'],
  );
});

test.run();
