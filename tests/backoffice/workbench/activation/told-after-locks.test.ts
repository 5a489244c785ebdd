// timeout: 240s
// What a write answers of a state is what a read says afterwards, though time went on while the write waited for its locks:
// every write of the backoffice that puts rules in force or moves what waits for a decision.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRoutes } from '#app/app.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import { useApp } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { shippedChecks } from '../../../messaging/qa/documents.ts';
import { shippedRules } from '../../../rules/language/sets.ts';
import { buildBatch } from '../../../teaching/lesson-blueprints/rows.ts';
import {
  addressOf,
  type Backoffice,
  beginChange,
  buildBackoffice,
  changedConstants,
  installVersion,
  type Json,
  type JsonReply,
  nextVersion,
  takeChange,
} from '../backoffice.ts';

const test = suite('reported after locks');
const app = useApp(test, { rules: true, ownStatements: true });
const { owner } = app.database;
const waitMs = 20_000;
let office: Backoffice;

test.before(async () => {
  office = await buildBackoffice(app);
  for (const value of [4, 5])
    await installVersion(owner, await nextVersion(owner, 'cbm/trend', { 'CBM-MIN-01': value }));
  const { now } = app.clock;
  app.clock.now = () => {
    app.clock.advance(1);
    return now.call(app.clock);
  };
});

/** Time goes on while others hold every lock that the write may want. */
async function whileOthersHoldLocks(write: () => Promise<JsonReply>): Promise<Json> {
  const { reply } = await owner.transaction(async (holder) => {
    await acquireLock(holder, 'activation');
    for (const table of ['rule_change', 'benchmark_profile', 'profile_narrative', 'blueprint_batch'])
      await holder(table).forUpdate().select('id');
    let settled = false;
    const under = write().finally(() => {
      settled = true;
    });
    await eventually('the write waits or has ended', async () => settled || (await lockWaits(owner)) > 0);
    app.clock.advance(waitMs);
    return { reply: under };
  });
  const { status, body } = await reply;
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  return body;
}

/** Each member that both have is the same, and they share some. */
function assertReported(answer: Json, read: Json | undefined): void {
  const shared = Object.keys(answer).filter((name) => Object.hasOwn(read ?? {}, name));
  assert.ok(shared.length > 1, `nothing to compare with: ${JSON.stringify(read)}`);
  for (const name of shared) assert.equal(answer[name], read?.[name], name);
}

const rules = '/api/admin/rule-sets';
const trend = `${rules}/cbm/trend`;
const shipped = shippedVersion('cbm/trend');
const profiles = '/api/admin/benchmark-profiles';
const narratives = '/api/admin/profile-narratives';
const languageRules = '/api/language-rules';
const read = async (path: string): Promise<Json> => (await office.author.get(path)).body;
const itemOf = async (path: string, name: string, wanted: unknown): Promise<Json | undefined> =>
  ((await read(`${path}?limit=100`)).items as Json[]).find((item) => item[name] === wanted);
const entryOf = ({ entryId }: Json) => itemOf('/api/admin/rule-bundles', 'entryId', entryId);
const reason = 'evidence_update';

/** The next version of the trend, with a value that no version has. */
let value = 5;
async function changeOf(upTo: 'validate' | 'submit' | 'approve'): Promise<{ address: string; sha256: string }> {
  const { items } = await read(`${trend}/versions?limit=100`);
  const { version } = (items as Json[])[0] ?? {};
  const { document } = await read(`${trend}/versions/${version}`);
  value += 1;
  const changed = changedConstants(document as Json, { 'CBM-MIN-01': value });
  return takeChange(office, { 'cbm/trend': changed }, { upTo });
}
const judged = (action: string, body: (change: { sha256: string }) => object, by: keyof Backoffice) => async () => {
  const change = await changeOf(action === 'submit' ? 'validate' : 'submit');
  return {
    write: () => office[by].post(`${change.address}/${action}`, body(change)),
    read: () => read(change.address),
  };
};
const changes = '/api/admin/rule-changes';
const begun = async () => {
  const made = await beginChange(office.author, 'cbm/trend');
  return { address: addressOf(made), headers: { 'if-match': String(made.body.etag) } };
};

const expected = { cuts: { meets: 60, approaching: 40, below: 20 }, source: 'A norm.', titleAr: 'معيار الطلاقة' };
const cell = { country: 'SA', grade: 2, measureCode: 'ORF_WCPM', season: 'BOY' };
let profile: Json;
/** The address of a published change. */
let published: string;
const onProfile = (by: keyof Backoffice, action: string) => async () => ({
  write: () => office[by].post(`${profiles}/${profile.id}/${action}`, {}),
  read: () => read(`${profiles}/${profile.id}`),
});
const text = {
  profileCode: 'DECODING_NEED',
  audience: 'teacher',
  titleAr: 'قراءة المقاطع',
  bodyAr: 'درّب {{firstNameAr}}.',
};
const onNarrative = (season: string, action: string, body: object) => async () => {
  const { body: made } = await office.author.post(narratives, { ...text, window: season });
  return {
    write: () => office.approver.post(`${narratives}/${made.id}/${action}`, body),
    read: async () => {
      assert.is(await itemOf(`${narratives}/pending-review`, 'id', made.id), undefined);
      return owner('profile_narrative').where({ id: made.id }).first('id', 'state', 'version');
    },
  };
};

interface Written {
  write(): Promise<JsonReply>;
  /** What a read shows of that which the answer is about. */
  read(answer: Json): Promise<Json | undefined>;
}

/** By operation, in the order in which they can follow each other. */
const writes: Readonly<Record<string, () => Promise<Written>>> = {
  activateRuleBundle: async () => ({
    write: () => office.author.post('/api/admin/rule-bundles', { versions: { 'cbm/trend': shipped + 1 }, reason }),
    read: entryOf,
  }),
  createRuleChange: async () => ({
    write: () => office.author.post(changes, { title: 'Another' }),
    read: ({ changeId }) => read(`${changes}/${changeId}`),
  }),
  updateRuleChange: async () => {
    const { address, headers } = await begun();
    return {
      write: () => office.author.request('PATCH', address, { why: 'It is so.' }, headers),
      read: () => read(address),
    };
  },
  putChangeDocument: async () => {
    const { body } = await office.author.post(changes, { title: 'Another' });
    const path = `${changes}/${body.changeId}/documents/cbm/trend`;
    return {
      write: () => office.author.request('PUT', path, {}, { 'if-match': String(body.etag) }),
      read: () => read(path),
    };
  },
  setChangeConstant: async () => {
    const { address, headers } = await begun();
    return {
      write: () => office.author.request('PUT', `${address}/constants/CBM-MIN-01`, { value: 4 }, headers),
      read: () => read(address),
    };
  },
  checkRuleChange: async () => {
    const { address } = await begun();
    return { write: () => office.author.post(`${address}/check`, {}), read: () => read(address) };
  },
  submitRuleChange: judged('submit', () => ({}), 'author'),
  approveRuleChange: judged('approve', ({ sha256 }) => ({ sha256 }), 'approver'),
  returnRuleChange: judged('return', () => ({}), 'approver'),
  declineRuleChange: judged('decline', () => ({ reason: 'needs_cases' }), 'approver'),
  withdrawRuleChange: judged('withdraw', () => ({}), 'author'),
  activateRuleChange: async () => {
    published = (await changeOf('approve')).address;
    return { write: () => office.author.post(`${published}/activate`, { reason }), read: entryOf };
  },
  rollbackRuleChange: async () => ({
    write: () => office.author.post(`${published}/rollback`, { reason: 'defect_found' }),
    read: entryOf,
  }),
  addChangeComment: async () => {
    const { address } = await begun();
    return {
      write: () => office.author.post(`${address}/comments`, { text: 'Why?' }),
      read: ({ commentId }) => itemOf(`${address}/comments`, 'commentId', commentId),
    };
  },
  createLanguageRules: async () => ({
    write: () => office.author.post(languageRules, { key: 'student', rules: extended('STU-NEW-01') }),
    read: ({ id }) => itemOf(languageRules, 'id', id),
  }),
  publishQaChecks: async () => ({
    write: () => office.author.post('/api/admin/qa/checks-set', { baseVersion: 3, checks: changedChecks() }),
    read: async () => ({
      ...(await read(`${rules}/qa/checks/versions/active`)),
      ruleVersion: (await read('/api/qa/checks?limit=1')).ruleVersion,
    }),
  }),
  createBenchmarkProfile: async () => ({
    write: async () => {
      const reply = await office.author.post(profiles, { ...cell, ...expected });
      profile = reply.body;
      return reply;
    },
    read: () => read(`${profiles}/${profile.id}`),
  }),
  updateBenchmarkProfile: async () => ({
    write: () => office.author.request('PATCH', `${profiles}/${profile.id}`, { source: 'Another norm.' }),
    read: () => read(`${profiles}/${profile.id}`),
  }),
  publishBenchmarkProfile: onProfile('author', 'publish'),
  activateBenchmarkProfile: onProfile('approver', 'activate'),
  createNarrative: async () => ({
    write: () => office.author.post(narratives, { ...text, window: 'BOY' }),
    read: ({ id }) => itemOf(`${narratives}/pending-review`, 'id', id),
  }),
  approveNarrative: onNarrative('MOY', 'approve', {}),
  rejectNarrative: onNarrative('EOY', 'reject', { reasonCode: 'Content_Inaccurate' }),
  approveBlueprintImport: async () => {
    const batch = await buildBatch(owner, { importedBy: office.author.id });
    return {
      write: () => office.approver.post(`/api/session-blueprints/${batch}/approve`, {}),
      read: () => read(`/api/session-blueprints/import/${batch}`),
    };
  },
  // Last of all: without a set nothing is shown to the tiers that it was of.
  deactivateLanguageRules: async () => {
    const { id } = (await itemOf(languageRules, 'state', 'active')) ?? {};
    return {
      write: () => office.author.request('PATCH', `${languageRules}/${id}/deactivate`, {}),
      read: () => itemOf(languageRules, 'id', id),
    };
  },
};

/** Answers of these tell no state that a clock or a lock decides. */
const others: Readonly<Record<string, string>> = {
  removeChangeDocument: 'quotes the text that it takes out',
  acceptChangeCases: 'quotes the change that it writes, and answers it',
  rebaseRuleChange: 'quotes the change that it writes, and answers it',
  deleteRuleChange: 'answers nothing',
  startChangeImpact: 'answers the number of a job',
  importRuleSets: 'answers which change it made',
  publishSseRuleVersion: 'is a change that was submitted',
  importBlueprints: 'answers a report',
};

const extended = (id: string) => [
  ...shippedRules('student'),
  { ...{ id, tiers: ['student'], match: { phrases: ['كلمة نادرة'] } }, action: 'block', reasonCode: 'blame' },
];
const changedChecks = () =>
  shippedChecks.map((check) => (check.qaCheckId === 'OUTBOX_STUCK' ? { ...check, threshold: 90 } : { ...check }));

test('every write of the backoffice on rules and texts is here', () => {
  const subjects =
    /\/(rule-sets|rule-changes|rule-bundles|rule-versions|language-rules|checks-set|benchmark-profiles|profile-narratives|session-blueprints)\b/;
  const writing = allRoutes()
    .filter(({ method, path, readOnly }) => method !== 'get' && !readOnly && subjects.test(path))
    .map(({ operation }) => operation);
  assert.equal([...Object.keys(writes), ...Object.keys(others)].sort(), writing.sort());
});

for (const [operation, prepare] of Object.entries(writes)) {
  test(`${operation}: answered as it is read`, async () => {
    const written = await prepare();
    const answer = await whileOthersHoldLocks(written.write);
    assertReported(answer, await written.read(answer));
  });
}

test('what is planned is answered as it is read, and so is its withdrawal', async () => {
  const from = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const { address } = await changeOf('approve');
  const planned = await whileOthersHoldLocks(() => office.author.post(`${address}/activate`, { reason, from }));
  assert.is(planned.state, 'scheduled');
  assertReported(planned, await entryOf(planned));
  const withdrawn = await whileOthersHoldLocks(() =>
    office.author.post(`${address}/rollback`, { reason: 'defect_found' }),
  );
  assertReported(withdrawn, await entryOf(withdrawn));
});

test.run();
