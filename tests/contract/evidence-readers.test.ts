// Every file that reads what can be voided (contract 12 §1): it leaves voided evidence out, which a test shows, or it is listed
// with the reason why it does not. A new reader belongs to neither list, and fails here until somebody has decided.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCellAnswers } from '#assessment/measurement/calibration/answers.ts';
import { newestSeries } from '#assessment/measurement/fluency/trend/newest-series.ts';
import {
  diagnosticAnswers,
  newestAnswerOf,
  newestProbes,
  practiceQueueAnswers,
} from '#assessment/measurement/index.ts';
import { storedThetas } from '#assessment/measurement/warmup/queries.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { linkedChildren } from '#outcomes/parents/facts/children.ts';
import { finishedDiagnostics } from '#outcomes/parents/facts/measured.ts';
import { originOf } from '#outcomes/rewards/explain/origin.ts';
import type { MasteryEventRow } from '#outcomes/rewards/ledger/rows.ts';
import { teacher, timeUp } from '../assessment/measurement/fluency/teacher.ts';
import { answersOf, buildDiagnostic, bundle, itemIdOf } from '../assessment/skill-status/evidence.ts';
import { buildClass, buildParent, buildStudent, buildTeacher, signIn, type UserRow } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';

const here = 'contract/evidence-readers.test.ts';
const voids = 'assessment/measurement/voids/voids-api.test.ts';
const corrections = 'assessment/measurement/evidence/corrections.test.ts';

/** Readers that leave voided evidence out, with the test of each. */
const leavingOut: Readonly<Record<string, string>> = {
  'assessment/measurement/calibration/answers.ts': here,
  'assessment/measurement/diagnostics/start.ts': voids,
  'assessment/measurement/evidence/supported-answers.ts': here,
  'assessment/measurement/evidence/transcript.ts': here,
  'assessment/measurement/fluency/plausibility.ts': 'assessment/measurement/fluency/plausibility.test.ts',
  'assessment/measurement/fluency/probe.ts': voids,
  'assessment/measurement/fluency/queries.ts': here,
  'assessment/measurement/fluency/start.ts': voids,
  'assessment/measurement/fluency/trend/correct.ts': voids,
  'assessment/measurement/fluency/trend/evaluation.ts': voids,
  'assessment/measurement/fluency/trend/newest-series.ts': here,
  'assessment/measurement/practice/seed.ts': voids,
  'assessment/measurement/warmup/queries.ts': here,
  'outcomes/parents/facts/children.ts': here,
  'outcomes/parents/facts/measured.ts': here,
  'outcomes/rewards/emission/evaluation/readings.ts': 'outcomes/rewards/emission/voids.test.ts',
  'outcomes/rewards/explain/origin.ts': here,
};

/** Readers of one kind of evidence: what they return passes `loadEvidence` alone, which leaves voided sessions out. */
const evidenceReaders: Readonly<Record<string, string>> = {
  'assessment/measurement/evidence/diagnostics.ts': corrections,
  'assessment/measurement/evidence/oral-reading.ts': corrections,
  'assessment/measurement/evidence/practice.ts': corrections,
};

/** Readers that return voided evidence, or write it, and why that is right. */
const showing: Readonly<Record<string, string>> = {
  'app/demo/history.ts': 'asks which sittings of the demo are written already',
  'app/demo/staff/void-reading.ts': 'looks for a child without any reading, to void one',
  'assessment/measurement/diagnostics/events.ts': 'writes the session that is open, which cannot be voided',
  'assessment/measurement/diagnostics/finish.ts': 'writes the session that is open, which cannot be voided',
  'assessment/measurement/diagnostics/jobs.ts': 'ends sessions that are open, which cannot be voided',
  'assessment/measurement/diagnostics/respond.ts': 'writes the session that is open, which cannot be voided',
  'assessment/measurement/diagnostics/serve.ts': 'writes the session that is open, which cannot be voided',
  'assessment/measurement/diagnostics/session.ts': 'loads the session that is worked on, by its id',
  'assessment/measurement/diagnostics/store.ts': 'is the tables, and loads one session by its id',
  'assessment/measurement/engine-operations/sessions.ts': 'lists all sessions, each with its voidId',
  'assessment/measurement/evidence/answer-lists.ts': 'stores the answers of a session when it ends',
  'assessment/measurement/fluency/reading.ts': 'writes the reading that is open, which cannot be voided',
  'assessment/measurement/fluency/scopes.ts': 'finds the reading that a teacher names',
  'assessment/measurement/fluency/store.ts': 'is the tables',
  'assessment/measurement/fluency/trend/probe-roles.ts': 'says of a voided probe that it is not comparable',
  'assessment/measurement/open-work.ts': 'looks for what is open, which cannot be voided',
  'assessment/measurement/personal-data.ts': 'exports and erases all that is stored of a person',
  'assessment/measurement/practice/complete.ts': 'writes the queue that is active, which cannot be voided',
  'assessment/measurement/practice/queue.ts':
    'loads the queue that is worked on; a voided diagnostic is refused where it is seeded',
  'assessment/measurement/practice/replace.ts': 'ends the active queue of a diagnostic that is being voided',
  'assessment/measurement/practice/respond.ts': 'writes the queue that is active, which cannot be voided',
  'assessment/measurement/practice/serve.ts': 'writes the queue that is active, which cannot be voided',
  'assessment/measurement/practice/store.ts': 'is the tables, and loads one queue by its id',
  'assessment/measurement/practice/training.ts': 'gives error patterns what led to sub-flags, which stay',
  'assessment/measurement/qa.ts': 'looks for sessions that are open past their end',
  'assessment/measurement/roll-over.ts': 'voided evidence keeps a roll-over from being undone too',
  'assessment/measurement/seen-items.ts': 'items seen stay seen',
  'assessment/measurement/voids/change.ts': 'finds the day of the evidence that is voided or restored',
  'assessment/measurement/voids/scopes.ts': 'finds the evidence that is to be voided',
  'assessment/skill-status/explain/logs/explain-behaviour.ts': 'explains a behaviour log, which stays',
  'messaging/qa/probes/people.ts': 'looks for rows of other organizations',
  'outcomes/rewards/audit/evidence.ts': 'says of events that their evidence is voided',
  'support/decision-packets/evidence/sources.ts': 'lists all evidence, each row with its voidId',
};

/** Files that name a table without reading it. */
const naming: Readonly<Record<string, string>> = {
  'assessment/measurement/capability.ts': 'names what of it is audited',
  'core/platform/locks.ts': 'names the order of locks',
  'identity/people/personal-data/sections.ts': 'names where staff are mentioned',
  'outcomes/rewards/enums.ts': 'names types of sources',
  'support/decision-packets/document/arabic-labels.ts': 'names types of evidence',
  'support/decision-packets/evidence/rows.ts': 'names a type of evidence',
  'support/decision-packets/evidence/schemas.ts': 'names types of evidence',
  'support/decision-packets/evidence/types.ts': 'names types of evidence',
};

const src = path.join(import.meta.dirname, '../../src');
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
const sources = new Map(
  fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.replaceAll(path.sep, '/'), withoutComments(fs.readFileSync(path.join(src, file), 'utf8'))]),
);

const tables =
  /\b(diagnostic_(session|response|served_item)|practice_(queue|response|served_item)|orf_(assessment|mark)|cbm_probe)\b/;
const tablesOfBuilder =
  /'(diagnostic(Session|Response|ServedItem)|practice(Queue|Response|ServedItem)|orf(Assessment|Mark)|cbmProbe)( as \w+)?'/;
const models =
  /\b(Diagnostic(Session|Response|ServedItem)|Practice(Queue|Response|ServedItem)|Orf(Assessment|Mark)|CbmProbe)\.query\(/;
const transcript = /\b(answersSql|transcriptOf|newestAnswerOf)\(/;

const filesWith = (...patterns: readonly RegExp[]): string[] =>
  [...sources].flatMap(([file, text]) => (patterns.some((pattern) => pattern.test(text)) ? [file] : []));

/** By a statement, a void is found with these; in code, with the corrections of the student. */
const isCorrected = /\b(voidIn|sessionVoidIn|probeVoidIn|loadCorrections)\(/;

test('every reader leaves voided evidence out, or is listed with the reason why it does not', () => {
  const listed = [leavingOut, evidenceReaders, showing, naming].flatMap((list) => Object.keys(list));
  assert.equal(filesWith(tables, tablesOfBuilder, models, transcript).sort(), listed.sort());
});

test('those that leave it out ask for voids, and their tests void something', () => {
  for (const [file, test] of Object.entries(leavingOut)) {
    assert.match(sources.get(file) ?? '', isCorrected, file);
    assert.match(fs.readFileSync(path.join(import.meta.dirname, '..', test), 'utf8'), /void/i, `${file}: ${test}`);
  }
});

test('evidence of a kind is read by loadEvidence alone, which asks for voids', () => {
  for (const file of Object.keys(evidenceReaders)) assert.match(sources.get(file) ?? '', /: EvidenceReader =/, file);
  const calling = filesWith(/\bevidenceReaders = \[\]/);
  assert.equal(calling, ['assessment/measurement/evidence/store.ts']);
  assert.match(sources.get(calling[0] ?? '') ?? '', isCorrected);
});

const app = useApp(test, { rules: true });
const { owner } = app.database;
const start = '2025-11-05T08:00:00.000Z';
const asOf = new Date('2025-11-06T08:00:00.000Z');
test.before.each(() => app.clock.set(start));

interface Child {
  readonly student: UserRow;
  readonly parentUserId: number;
  readonly hands: ReturnType<typeof teacher>;
  takeBack(path: string): Promise<void>;
}

async function newChild(): Promise<Child> {
  const classRow = await buildClass(owner, { grade: 2 });
  const [student, teacherRow] = [await buildStudent(owner, classRow), await buildTeacher(owner, classRow)];
  return {
    student,
    parentUserId: (await buildParent(owner, student)).id,
    hands: teacher(app, teacherRow),
    async takeBack(path) {
      const token = await signIn(app, teacherRow);
      const { status, body } = await app.post(`${path}/void`, { reasonCode: 'wrong_student' }, { token });
      assert.is(status, 201, JSON.stringify(body));
    },
  };
}

type Read = (trx: Trx, child: Child) => Promise<unknown>;

const item = { id: itemIdOf('DEC_WORD', 1), version: 1, difficulty: 0 };
const cell = {
  ...({ subSkillCode: 'DEC_WORD', gradeBand: 'G12', items: [item] } as unknown as Parameters<
    typeof readCellAnswers
  >[1]),
  ...{ simulated: [], otherFirstLanguage: new Map<number, boolean>() },
};
const own = ({ student: { organizationId, id } }: Child) => ({ organizationId: organizationId ?? '', id });
const newestAnswer =
  (source: 'diagnostic' | 'practice'): Read =>
  (trx, child) => {
    const answer = newestAnswerOf(source, { organizationId: ':organizationId', id: ':id' });
    return rowsOf(trx, `select ${answer} as at`, own(child));
  };
const answersBy =
  (read: typeof diagnosticAnswers): Read =>
  (trx, child) => {
    const { organizationId, id } = own(child);
    return read(trx, { organizationId, studentIds: [id], since: new Date('2025-10-01T00:00:00.000Z'), asOf });
  };
const rules = { calendar: { schoolYear: { startMonth: 8, startDay: 1 } } } as Parameters<
  typeof linkedChildren
>[2]['rules'];
const lastActive: Read = async (trx, child) => {
  const { organizationId } = own(child);
  const asked = { organizationId, parentUserId: child.parentUserId };
  return (await linkedChildren(trx, asked, { rules, now: asOf })).map(({ lastActiveAt }) => lastActiveAt);
};

async function diagnostic({ student }: Child): Promise<string> {
  const id = await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'C' }), { finishedAt: start });
  await owner('diagnostic_estimate').insert({
    ...{ organizationId: student.organizationId, schoolYear: '2025-2026', sessionId: id, subSkillCode: 'LIS_LITERAL' },
    ...{ theta: 0.5, se: 0.5, n: 1, stopReason: 'session_end', calibrationProvisional: true, ruleVersion: 'test@1' },
  });
  return `/api/diagnostic-sessions/${id}`;
}

/** An ended queue with an answer. */
async function practice(child: Child): Promise<string> {
  const { student } = child;
  const sessionId = (await diagnostic(child)).split('/').at(-1) ?? '';
  const [id, servedItemId] = [newId(), newId()];
  const row = { organizationId: student.organizationId, schoolYear: '2025-2026' };
  const one = { ...row, queueId: id, seq: 1 };
  await owner('practice_queue').insert({
    ...{ ...row, id, studentId: student.id, diagnosticSessionId: sessionId, status: 'COMPLETED', gradeBand: 'G12' },
    ...{ targets: '[]', seenItemIds: [], itemBudget: 10, pinned: '{"bankVersion": "content/item-bank@1"}' },
    ...{ seededAt: start, endedAt: start },
  });
  await owner('practice_served_item').insert({
    ...{ ...one, id: servedItemId, itemId: item.id, itemVersion: 1, subSkillCode: 'DEC_WORD', difficultyLogit: 0 },
    ...{ calibrationProvisional: true, selectionTier: 1, servedAt: start },
  });
  await owner('practice_response').insert({
    ...{ ...one, servedItemId, selectedOptionIndex: 0, skipped: false, correct: true },
    ...{ reportedLatencyMs: 5000, latencyMs: 5000, receivedAt: start },
  });
  return `/api/practice/queues/${id}`;
}

async function reading({ student, hands }: Child): Promise<string> {
  const { assessmentId } = (await hands.start({ studentId: student.id })).body;
  assert.is((await hands.stop(assessmentId, timeUp(20))).status, 200);
  return `/api/orf/assessments/${assessmentId}`;
}

async function probe({ student, hands }: Child): Promise<string> {
  const words = { wordsAttempted: 20, errors: 0, elapsedSeconds: 60 };
  const asked = { studentId: student.id, passageId: 'ORF-G2-01', administeredOn: '2025-11-05', ...words };
  const { status, body } = await hands.probe(asked);
  assert.is(status, 201, JSON.stringify(body));
  return `/api/cbm/probes/${body.probeId}`;
}

/** What each reader reads, made before it is voided. */
const cases: readonly [name: string, make: (child: Child) => Promise<string>, read: Read][] = [
  ['answers for calibration', diagnostic, async () => (await readCellAnswers(app.services.db, cell)).sittings.length],
  ['answers of diagnostics for the support needed', diagnostic, answersBy(diagnosticAnswers)],
  ['answers of practice for the support needed', practice, answersBy(practiceQueueAnswers)],
  ['the newest answer of a diagnostic', diagnostic, newestAnswer('diagnostic')],
  ['the newest answer of practice', practice, newestAnswer('practice')],
  ['abilities for warm-ups', diagnostic, (trx, child) => storedThetas(trx, own(child), '2025-2026')],
  ['diagnostics for families', diagnostic, (trx, child) => finishedDiagnostics(trx, own(child), 10)],
  ['when a child was last active: a reading', reading, lastActive],
  ['when a child was last active: a diagnostic', diagnostic, lastActive],
  [
    'the newest probe',
    probe,
    (trx, child) => newestProbes(trx, own(child).organizationId, 'ORF_WCPM', [own(child).id]),
  ],
  [
    'the newest series',
    probe,
    (trx, child) => {
      const asked = { studentId: own(child).id, yearFrom: '2025-08-01', asOf: '2025-11-05' };
      return newestSeries(trx, bundle, own(child).organizationId, 'ORF_WCPM', [asked]);
    },
  ],
];

for (const [name, make, read] of cases) {
  test(`left out while it is voided: ${name}`, async () => {
    const child = await newChild();
    const { organizationId } = child.student;
    const now = () => inContext(app.services.db, { organizationId: organizationId ?? '' }, (trx) => read(trx, child));
    const without = await now();
    const path = await make(child);
    assert.not.equal(await now(), without, 'it is read');
    await child.takeBack(path);
    assert.equal(await now(), without);
  });
}

test('left out while it is voided: the verdict with which a better one is compared', async () => {
  const child = await newChild();
  const { student } = child;
  const first = await reading(child);
  app.clock.advance(60_000);
  const sourceId = (await reading(child)).split('/').at(-1) ?? '';
  app.clock.advance(60_000);
  const event = {
    ...own(child),
    studentId: student.id,
    schoolYear: '2025-2026',
    sourceKind: 'band_progression',
    sourceId,
  };
  const compared = async () => {
    const origin = await inContext(app.services.db, { organizationId: own(child).organizationId }, (trx) =>
      originOf(trx, event as unknown as MasteryEventRow),
    );
    return origin.compared?.id;
  };
  assert.is(await compared(), first.split('/').at(-1));
  await child.takeBack(first);
  assert.is(await compared(), first.split('/').at(-1), 'it was known when the better one was read');
  await owner('evidence_void').where({ studentId: student.id }).update({ at: start });
  assert.is(await compared(), undefined);
});

test.run();
