// timeout: 120s
// A dry run evaluates any window with any validated rules, reports the differences, and writes no rows.
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dryRunRoutes } from '#assessment/skill-status/dry-run/routes.ts';
import type { Services } from '#core/module/services.ts';
import { newId } from '#core/platform/ids.ts';
import { type DocumentName, parseTable, type TableDocument } from '#rules/rulesets/index.ts';
import { useServed } from '../../../backoffice/workbench/replays/server.ts';
import { buildChange } from '../../../harness/changes.ts';
import { buildSuperAdmin, buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { validators } from '../../../rules/rulesets/document-schemas.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('dry run');
const shell = useShell(test);
const { owner } = shell.app.database;
const logged: Record<string, unknown>[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
/** The access mode of the transactions of dry runs, as they report it themselves. */
const readOnly: string[] = [];
const { rules } = shell.services;
const watched: Services = {
  ...shell.services,
  rules: {
    ...rules,
    pinned: async (trx, versions) => {
      const { rows } = await trx.raw<{ rows: { answer: string }[] }>(
        "select current_setting('transaction_read_only') as answer",
      );
      readOnly.push(...rows.map(({ answer }) => answer));
      return rules.pinned(trx, versions);
    },
  },
};
const http = useServed(test, dryRunRoutes, watched, log);

interface DerivedView {
  readonly status: string | null;
  readonly outcome: string;
  readonly ruleId: string | null;
}
interface View {
  readonly asOf: string;
  readonly storedRunId: string | null;
  readonly versionsUsed: Record<string, number>;
  readonly subSkills: { subSkillCode: string; derived: DerivedView; stored: DerivedView | null; match: boolean }[];
  readonly domains: { domainCode: string; derived: DerivedView; stored: DerivedView | null; match: boolean }[];
  readonly tiles: { tileCode: string; derived: { status: string }; match: boolean }[];
  readonly mismatches: { level: string; code: string; field: string; stored: unknown; derived: unknown }[];
  readonly mismatchCount: number;
  readonly rowsWritten: number;
}
interface Refusal {
  readonly code: string;
  readonly details: { field: string; issue: string }[];
}

let student: Student;
let superAdmin: UserRow;
let token: string;

/** Two runs; the second one appends few rows: its result of DEC_MULTI is in the first one's row. */
test.before(async () => {
  superAdmin = await buildSuperAdmin(owner);
  token = await signIn(shell.app, superAdmin);
  student = await shell.student();
  const parts = {
    LK_SOUND: 'CCCCC',
    DEC_WORD: 'CTTLU',
    DEC_MULTI: 'UUUUU',
    VOC_MEANING: 'UUUUC',
    LIS_LITERAL: 'U!U!U!E',
  };
  await shell.diagnostic(student, answersOf(parts), { finishedAt: '2026-01-10T07:00:00.000Z' });
  await shell.recompute(student);
  await shell.diagnostic(student, answersOf({ VOC_MEANING: 'CCCCC', DEC_WORD: 'QUUUU' }, 11), {
    finishedAt: '2026-01-12T07:00:00.000Z',
  });
  await shell.recompute(student);
});

test.before.each(() => void logged.splice(0));

const ask = <Body = View>(body: object) => http.post<Body>('/api/sse/admin/dry-run-replay', body, { token });

async function ownWindow() {
  const [, run] = await shell.rows<{ id: string; windowFrom: string; windowTo: string }>('sse_run', student);
  return { runId: run?.id, evidenceWindow: { from: run?.windowFrom ?? '', to: run?.windowTo ?? '' } };
}

const mismatchLines = () => logged.filter(({ msg }) => msg === 'sse.replay.mismatch');

async function shipped(name: DocumentName): Promise<TableDocument> {
  const [family, key] = name.split('/');
  const version = shippedVersion(name);
  const row = await owner('rule_version').where({ family, key, version }).first('document');
  return parseTable(row.document, validators);
}

async function change(documents: readonly TableDocument[], state: string): Promise<string> {
  const next = documents.map((one) => ({ ...one, meta: { ...one.meta, version: one.meta.version + 1 } }));
  const at = new Date('2026-01-14T00:00:00.000Z');
  const row = await buildChange(owner, { documents: next, state, at, authorUserId: superAdmin.id });
  return row.id;
}

/** SSR with a different outcome of one rule. */
async function ssrWith(ruleId: string, outcome: string): Promise<TableDocument> {
  const document = await shipped('ssr/ssr');
  return {
    ...document,
    rules: document.rules.map((rule) =>
      rule.name === ruleId ? { ...rule, event: { ...rule.event, params: { ...rule.event.params, outcome } } } : rule,
    ),
  };
}

test('with the own window and versions of the run nothing differs', async () => {
  const { runId, evidenceWindow } = await ownWindow();
  const { status, body } = await ask({ studentId: student.id, evidenceWindow });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(body.mismatches, []);
  assert.is(body.mismatchCount, 0);
  assert.is(body.storedRunId, runId);
  assert.is(body.asOf, evidenceWindow.to);
  assert.is(body.rowsWritten, 0);
  assert.ok([...body.subSkills, ...body.domains, ...body.tiles].every(({ match }) => match));
  assert.is(body.tiles.length, 7);
  assert.equal(
    body.subSkills.filter(({ derived }) => derived.outcome !== 'not_assessed').map(({ subSkillCode }) => subSkillCode),
    ['LK_SOUND', 'DEC_WORD', 'DEC_MULTI', 'LIS_LITERAL', 'VOC_MEANING'],
  );
  const decWord = body.subSkills.find(({ subSkillCode }) => subSkillCode === 'DEC_WORD');
  assert.is(decWord?.derived.status, 'weak_gateway');
  assert.is(decWord?.stored?.status, 'weak_gateway');
  assert.equal(mismatchLines(), []);
});

test('a result that another rule now gives without a new row is no difference', async () => {
  const child = await shell.student({ grade: 1 });
  const weak = answersOf({ PA_INITIAL: 'QQUCC', PA_SYLLABLE: 'UUUC' });
  await shell.diagnostic(child, weak, { finishedAt: '2026-01-10T07:00:00.000Z' });
  await shell.recompute(child);
  const recovered = answersOf({ PA_SYLLABLE: 'CCCCCCCC', PA_BLEND: 'UUUU' }, 21);
  await shell.diagnostic(child, recovered, { finishedAt: '2026-01-12T07:00:00.000Z' });
  await shell.recompute(child);
  const rows = await shell.rows<{ subSkillCode: string; ssrRuleId: string }>('sse_skill_snapshot', child);
  const initial = rows.filter(({ subSkillCode }) => subSkillCode === 'PA_INITIAL');
  assert.equal(
    initial.map(({ ssrRuleId }) => ssrRuleId),
    ['SSR-10'],
  );
  const [, run] = await shell.rows<{ windowFrom: string; windowTo: string }>('sse_run', child);
  const evidenceWindow = { from: run?.windowFrom, to: run?.windowTo };
  const { body } = await ask({ studentId: child.id, evidenceWindow });
  assert.equal(body.mismatches, []);
  assert.is(body.subSkills.find(({ subSkillCode }) => subSkillCode === 'PA_INITIAL')?.derived.ruleId, 'SSR-11');
});

test('a shorter window replaces that of the school year: differences are returned, and logged line by line', async () => {
  const evidenceWindow = { from: '2026-01-11T03:00:00+03:00', to: '2026-01-15T08:00:00Z' };
  const { body } = await ask({ studentId: student.id, evidenceWindow });
  assert.is(body.asOf, '2026-01-15T08:00:00.000Z');
  const sound = body.mismatches.filter(({ code }) => code === 'LK_SOUND');
  assert.equal(sound.map(({ level, field, stored, derived }) => [level, field, stored, derived]).slice(0, 2), [
    ['sub_skill', 'status', 'adequate', null],
    ['sub_skill', 'outcome', 'decided', 'not_assessed'],
  ]);
  assert.is(body.mismatchCount, body.mismatches.length);
  assert.equal(
    mismatchLines().map(({ level, code, field, stored, derived }) => ({ level, code, field, stored, derived })),
    body.mismatches,
  );
});

test('before the first run nothing is stored, and nothing can differ', async () => {
  const evidenceWindow = { from: '2025-09-01T00:00:00.000Z', to: '2026-01-11T00:00:00.000Z' };
  const { body } = await ask({ studentId: student.id, evidenceWindow });
  assert.is(body.storedRunId, null);
  assert.equal(body.mismatches, []);
  assert.ok(body.subSkills.every(({ stored }) => stored === null));
  const words = Object.fromEntries(body.subSkills.map(({ subSkillCode, derived }) => [subSkillCode, derived.status]));
  assert.is(words.LK_SOUND, 'adequate');
});

test('the documents of a proposed change replace their versions, in validated and in in_review', async () => {
  const { evidenceWindow } = await ownWindow();
  for (const state of ['validated', 'in_review']) {
    const proposedChange = await change([await ssrWith('SSR-08', 'monitor_gateway')], state);
    const { status, body } = await ask({ studentId: student.id, evidenceWindow, proposedChange });
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.versionsUsed['ssr/ssr'], shippedVersion('ssr/ssr') + 1);
    assert.is(body.versionsUsed['adr/adr'], shippedVersion('adr/adr'));
    const weak = body.mismatches.filter(({ level, field }) => level === 'sub_skill' && field === 'status');
    assert.ok(weak.some(({ code }) => code === 'DEC_WORD'));
    assert.ok(weak.every(({ stored, derived }) => stored === 'weak_gateway' && derived === 'monitor_gateway'));
  }
});

test('proposals that are unknown, not of the engine or not checked: 422 by name', async () => {
  const { evidenceWindow } = await ownWindow();
  const fieldsOf = async (proposed: object) => {
    const { status, body } = await ask<Refusal>({ studentId: student.id, evidenceWindow, ...proposed });
    assert.equal([status, body.code], [422, 'VALIDATION_ERROR']);
    return body.details.map(({ field }) => field);
  };
  for (const [name, version] of [
    ['ssr/ssr', 99],
    ['nobody/knows', 1],
    ['scoring/measurement', 1],
  ] as const) {
    assert.equal(await fieldsOf({ proposedVersions: { [name]: version } }), [`proposedVersions.${name}`]);
  }
  const unfinished = await change([await ssrWith('SSR-08', 'monitor_gateway')], 'draft');
  for (const proposedChange of [newId(), unfinished]) {
    assert.equal(await fieldsOf({ proposedChange }), ['proposedChange']);
  }
  assert.is(
    (await ask({ studentId: student.id, evidenceWindow, proposedVersions: { 'ssr/ssr': newId() } })).status,
    422,
  );
});

test('a published version by its number is accepted', async () => {
  const { evidenceWindow } = await ownWindow();
  const { status, body } = await ask({ studentId: student.id, evidenceWindow, proposedVersions: { 'ssr/ssr': 1 } });
  assert.is(status, 200);
  assert.is(body.mismatchCount, 0);
});

test('rules that do not fit together: 422 with the reason', async () => {
  const { evidenceWindow } = await ownWindow();
  const bnd = await shipped('bnd/bnd');
  const constants = Object.fromEntries(
    Object.entries(bnd.constants ?? {}).map(([id, one]) => [id, { ...one, value: Number(one.value) + 0.01 }]),
  );
  const otherConstant = await change([{ ...bnd, constants }], 'validated');
  const foreignWord = await change([await ssrWith('SSR-08', 'a_word_of_nobody')], 'validated');
  const ssr = await shipped('ssr/ssr');
  const collecting = await change([{ ...ssr, meta: { ...ssr.meta, hitPolicy: 'collect' } }], 'validated');
  for (const [proposedChange, pattern] of [
    [otherConstant, /constant DTH-DEF-0\d is/],
    [foreignWord, /a_word_of_nobody/],
    [collecting, /hit policy of ssr\/ssr is not first/],
  ] as const) {
    const { status, body } = await ask<Refusal>({ studentId: student.id, evidenceWindow, proposedChange });
    assert.is(status, 422, JSON.stringify(body));
    assert.is(body.details[0]?.field, 'proposedChange');
    assert.match(body.details[0]?.issue ?? '', pattern);
  }
});

test('reversed, too long and malformed windows: 422; an unknown student: 404', async () => {
  const to = '2026-01-15T08:00:00.000Z';
  for (const evidenceWindow of [
    { from: to, to },
    { from: '2025-01-14T07:59:59.999Z', to },
    { from: 'yesterday', to },
    { from: '0000-01-01T00:00:00Z', to },
  ]) {
    assert.is((await ask({ studentId: student.id, evidenceWindow })).status, 422, JSON.stringify(evidenceWindow));
  }
  const longest = { from: '2025-01-14T08:00:00.000Z', to };
  assert.is((await ask({ studentId: student.id, evidenceWindow: longest })).status, 200);
  assert.is((await ask({ studentId: 987_654_321, evidenceWindow: longest })).status, 404);
  const teacher = await signIn(shell.app, await buildTeacher(owner, student.classRow));
  const body = { studentId: student.id, evidenceWindow: longest };
  assert.is((await http.post('/api/sse/admin/dry-run-replay', body, { token: teacher })).status, 403);
});

test('no table has new rows, and the transaction is read-only', async () => {
  const { evidenceWindow } = await ownWindow();
  const before = await rowCounts();
  const proposedChange = await change([await ssrWith('SSR-08', 'monitor_gateway')], 'validated');
  const { body } = await ask({ studentId: student.id, evidenceWindow, proposedChange });
  assert.ok(body.mismatchCount > 0);
  const more = (table: string) => ({ [table]: (before[table] ?? 0) + 1 });
  assert.equal(await rowCounts(), { ...before, ...more('rule_change'), ...more('rule_change_document') });
  assert.ok(before.sse_run);
  assert.ok(readOnly.length > 0);
  assert.ok(readOnly.every((answer) => answer === 'on'));
});

async function rowCounts(): Promise<Record<string, number>> {
  const tables: { name: string }[] = (
    await owner.raw(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  ).rows;
  const counted = tables.map(async ({ name }) => [name, Number((await owner(name).count('* as n'))[0]?.n)] as const);
  return Object.fromEntries(await Promise.all(counted));
}

test.run();
