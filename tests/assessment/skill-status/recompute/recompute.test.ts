// The rows that a recompute appends, and when it appends none.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { shippedStamp } from '../../../harness/rules.ts';
import { answersOf } from '../evidence.ts';
import { useShell } from '../shell.ts';

const test = suite('recompute');
const shell = useShell(test);
const { app } = shell;

const january = (day: number) => `2026-01-${String(day).padStart(2, '0')}T07:00:00.000Z`;

interface SkillSummary {
  readonly subSkillCode: string;
  readonly status: string | null;
}

interface DomainSummary {
  readonly id: number;
  readonly domainCode: string;
  readonly outcome: string;
  readonly status: string | null;
}

const summary = (rows: readonly SkillSummary[]) => rows.map(({ subSkillCode, status }) => `${subSkillCode} ${status}`);

test.before.each(() => app.clock.set(january(15)));

test('a first run writes its evaluated sub-skills, nine domains, seven tiles and a code for every response', async () => {
  const student = await shell.student();
  const answers = answersOf({ LK_SOUND: 'CCCC', DEC_WORD: 'UTTCN' });
  const sessionId = await shell.diagnostic(student, answers, { finishedAt: january(10) });
  await shell.recompute(student);
  const skills = await shell.rows<SkillSummary>('sse_skill_snapshot', student);
  assert.equal(summary(skills), ['LK_SOUND adequate', 'DEC_WORD weak_gateway']);
  assert.is((await shell.rows('sse_domain_snapshot', student)).length, 9);
  const tiles = await shell.rows<{ tileCode: string; status: string }>('sse_macro_snapshot', student);
  assert.equal(Object.fromEntries(tiles.map(({ tileCode, status }) => [tileCode, status])), {
    FOUNDATIONS: 'Partial',
    WORD_READING: 'Severe',
    FLUENCY: 'Not_Assessed',
    LANGUAGE: 'Not_Assessed',
    COMPREHENSION: 'Not_Assessed',
    WRITING: 'Not_Assessed',
    GLOBAL: 'Severe',
  });
  const codes = await shell.rows<{ responseRef: string; code: string; ruleVersion: string }>(
    'sse_response_code',
    student,
  );
  assert.equal(
    codes.map(({ code }) => code),
    [
      ...['CORRECT_SECURE', 'CORRECT_SECURE', 'CORRECT_SECURE', 'CORRECT_SECURE'],
      ...['ERROR_UNSPECIFIC', 'ERROR_TARGET_PATTERN', 'ERROR_TARGET_PATTERN', 'CORRECT_SECURE', 'NO_RESPONSE'],
    ],
  );
  assert.is(codes[0]?.responseRef, `${sessionId}/LK_SOUND-001`);
  assert.is(codes[0]?.ruleVersion, shippedStamp('adr'));
});

test('unchanged evidence writes nothing, and serves the request', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: january(10) });
  await shell.recompute(student);
  const events = await eventCount(student.organizationId);
  app.clock.advance(60_000);
  await shell.recompute(student);
  await shell.recompute(student);
  assert.is((await shell.rows('sse_run', student)).length, 1);
  assert.is((await shell.rows('sse_skill_snapshot', student)).length, 1);
  assert.is(await eventCount(student.organizationId), events);
  const request = await shell.request(student);
  assert.is(request?.requestedSeq, 3);
  assert.is(request?.processedSeq, 3);
});

test('adequate twice: new evidence gives a second row, and only where there is new evidence', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC', DEC_WORD: 'CCCC' }), { finishedAt: january(10) });
  await shell.recompute(student);
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }, 5), { finishedAt: january(12) });
  await shell.recompute(student);
  const skills = await shell.rows<SkillSummary>('sse_skill_snapshot', student);
  assert.equal(summary(skills), ['LK_SOUND adequate', 'DEC_WORD adequate', 'LK_SOUND adequate']);
  const domains = await shell.rows<{ domainCode: string }>('sse_domain_snapshot', student);
  assert.equal(
    domains.slice(9).map(({ domainCode }) => domainCode),
    ['LK'],
    'a domain gets a row when one of its sub-skills got one',
  );
  assert.is((await shell.rows('sse_macro_snapshot', student)).length, 14, 'tiles come with every run');
});

test('a comprehension pattern that another domain changes is written although RC is unchanged', async () => {
  const student = await shell.student({ grade: 3 });
  const weakReading = { RC_LITERAL: 'UUUU', RC_INFER: 'UUUU' };
  await shell.diagnostic(student, answersOf(weakReading), { finishedAt: january(10) });
  await shell.recompute(student);
  await shell.diagnostic(student, answersOf({ DEC_MULTI: 'UUUU', LIS_LITERAL: 'CCCC' }), { finishedAt: january(11) });
  await shell.recompute(student);
  const rows = await shell.rows<{ domainCode: string; compPattern: string; compRuleId: string }>(
    'sse_domain_snapshot',
    student,
  );
  const comprehension = rows.filter(({ domainCode }) => domainCode === 'RC');
  assert.equal(
    comprehension.map(({ compRuleId, compPattern }) => `${compRuleId} ${compPattern}`),
    ['DDR-LC-DEFAULT inconclusive_needs_more_data', 'DDR-LC-02 decoding_bottleneck'],
  );
});

test('one event a run names every row that it appended', async () => {
  const student = await shell.student();
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: january(10), announced: false });
  await shell.recompute(student);
  const events = await inContext(app.database.owner, 'SUPER', (trx) =>
    trx('outbox').where({ organizationId: student.organizationId }).orderBy('id').select('topic', 'payload'),
  );
  assert.equal(
    events.map(({ topic }) => topic),
    ['macro.updated', 'profile.changed'],
  );
  const [skill] = await shell.rows<{ id: string; runId: string }>('sse_skill_snapshot', student);
  const domains = await shell.rows<DomainSummary>('sse_domain_snapshot', student);
  assert.equal(events[0].payload, {
    ...{ studentId: student.id, runId: skill?.runId, halted: false },
    skills: [{ snapshotId: skill?.id, subSkillCode: 'LK_SOUND', outcome: 'decided', status: 'adequate' }],
    domains: domains.map(({ id, domainCode, outcome, status }) => ({ snapshotId: id, domainCode, outcome, status })),
  });
  assert.is(domains.length, 9);
});

test('many students at once get equal results to separate runs', async () => {
  const one = await shell.student();
  const classmates = [one, await shell.classmate(one), await shell.classmate(one)];
  for (const [at, student] of classmates.entries()) {
    const letters = ['CCCC', 'UUUU', 'CC'][at] ?? '';
    await shell.diagnostic(student, answersOf({ LK_SOUND: letters }), { finishedAt: january(10) });
  }
  await shell.recompute(...classmates);
  const statuses = [];
  for (const student of classmates) {
    const rows = await shell.rows<SkillSummary & { pacReason: string }>('sse_skill_snapshot', student);
    statuses.push(rows.map(({ status, pacReason }) => status ?? pacReason).join());
  }
  assert.equal(statuses, ['adequate', 'weak_gateway', 'INSUFFICIENT_ITEMS']);
});

test('unreadable evidence fails its own student only, with the reason', async () => {
  const good = await shell.student();
  const bad = await shell.classmate(good);
  await shell.diagnostic(good, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: january(10) });
  const unknown = { subSkillCode: 'LK_SOUND', itemId: 'LK_SOUND-999', letter: 'C', marked: false } as const;
  await shell.diagnostic(bad, [unknown], { sessionId: 'broken', finishedAt: january(10) });
  const thrown = await shell.recompute(bad, good).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(thrown, Error);
  assert.is((await shell.rows('sse_run', good)).length, 1);
  const request = await shell.request(bad);
  assert.is(request?.processedSeq, 0);
  assert.is(request?.lastError, 'EvidenceError: session broken: content/item-bank@1 has no item LK_SOUND-999');
});

const eventCount = async (organizationId: string) =>
  (await inContext(app.database.owner, 'SUPER', (trx) => trx('outbox').where({ organizationId }))).length;

for (const table of ['sse_skill_snapshot', 'sse_domain_snapshot'] as const) {
  test(`a row of ${table} is refused without its run of the same organization and school year`, async () => {
    const student = await shell.student();
    const other = await shell.student();
    await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt: january(10) });
    await shell.recompute(student);
    const [row] = await shell.rows<{ id: number }>(table, student);
    const { owner } = app.database;
    const { rows } = await owner.raw(
      "select attname from pg_attribute where attrelid = ?::regclass and attnum > 0 and attidentity = ''",
      [table],
    );
    const columns: string[] = rows.map(({ attname }: { attname: string }) => attname);
    const append = (changes: Readonly<Record<string, string>>) => {
      const values = columns.map((column) => (column in changes ? '?' : column)).join(', ');
      const statement = `insert into ${table} (${columns}) select ${values} from ${table} where id = ?`;
      const bindings = columns.flatMap((column) => changes[column] ?? []);
      return owner.raw(statement, [...bindings, row?.id ?? 0]).then(
        () => 'appended',
        (error: { code?: string }) => error.code,
      );
    };
    assert.is(await append({}), 'appended');
    assert.is(await append({ run_id: 'noSuchRun' }), '23503');
    assert.is(await append({ school_year: '1999-2000' }), '23503');
    assert.is(await append({ organization_id: other.organizationId }), '23503');
  });
}

test.run();
