// Whose evidence is a student's at a moment, and which of it is voided: chains of merges, undos, voids and restores.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadCorrections } from '#assessment/measurement/evidence/corrections/load.ts';
import { accountPairs, present } from '#assessment/measurement/evidence/engine/corrections.ts';
import { loadEvidence, type StudentSession } from '#assessment/measurement/index.ts';
import { pipelineOf } from '#assessment/skill-status/rules/pipelines.ts';
import { inContext } from '#core/platform/db.ts';
import { buildClass, buildStudent, type ClassRow, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { answersOf, buildDiagnostic, bundle, testBanks } from '../../skill-status/evidence.ts';

const app = useApp(test, { ownStatements: true });
const { owner } = app.database;
const at = (day: number) => new Date(Date.UTC(2026, 0, day, 9));
const by = 1;

let classRow: ClassRow;
const newStudent = () => buildStudent(owner, classRow);
const organizationId = () => classRow.organizationId;
test.before(async () => {
  classRow = await buildClass(owner);
});

const merge = (from: UserRow, into: UserRow, day: number, undoneOn?: number) =>
  owner('student_merge').insert({
    ...{ organizationId: organizationId(), studentId: from.id, intoStudentId: into.id, at: at(day), byUserId: by },
    ...{ reasonCode: 'duplicate_account', moved: '{}' },
    ...(undoneOn !== undefined && { undoneAt: at(undoneOn), undoneByUserId: by }),
  });

async function voided({ id: studentId }: UserRow, refId: string, day: number, restoredOn?: number): Promise<number> {
  const [row] = await owner('evidence_void')
    .insert({
      ...{ organizationId: organizationId(), studentId, kind: 'diagnostic', refId, reasonCode: 'wrong_student' },
      ...{ at: at(day), byUserId: by },
      ...(restoredOn !== undefined && { restoredAt: at(restoredOn), restoredByUserId: by }),
    })
    .returning('id');
  return row.id;
}

const correctionsOf = (...students: UserRow[]) =>
  inContext(app.services.db, { organizationId: organizationId() }, (trx) =>
    loadCorrections(
      trx,
      organizationId(),
      students.map(({ id }) => id),
    ),
  );

test('a chain of merges counts from the moment of each, and an undo ends it', async () => {
  const [first, second, third] = [await newStudent(), await newStudent(), await newStudent()];
  await merge(first, second, 2);
  await merge(second, third, 4, 6);
  const corrections = await correctionsOf(first, second, third);
  const accounts = (student: UserRow, moment: Date) => corrections.accountsAt(student.id, moment);
  assert.equal(accounts(second, at(1)), [second.id]);
  assert.equal(accounts(second, at(2)), [second.id, first.id], 'at the moment itself');
  assert.equal(accounts(first, at(2)), [], 'the merged account has no evidence of its own');
  assert.equal(accounts(third, at(4)), [third.id, first.id, second.id]);
  assert.equal(accounts(second, at(5)), []);
  assert.equal(accounts(third, at(6)), [third.id], 'undone at the moment itself');
  assert.equal(accounts(second, present), [second.id, first.id]);
  assert.is(corrections.survivorAt(first.id, at(4)), third.id);
  assert.is(corrections.survivorAt(first.id, present), second.id);
  assert.equal(accountPairs(corrections, [first.id, third.id], at(4)), {
    studentIds: [third.id, third.id, third.id],
    accountIds: [third.id, first.id, second.id],
  });
});

test('corrections of the other accounts are loaded whichever of them is named', async () => {
  const [first, second, third] = [await newStudent(), await newStudent(), await newStudent()];
  await merge(first, second, 2);
  await merge(second, third, 4);
  const voidId = await voided(first, 'session', 3);
  for (const student of [first, second, third]) {
    const corrections = await correctionsOf(student);
    assert.equal(corrections.accountsAt(third.id, at(4)), [third.id, first.id, second.id]);
    assert.is(corrections.voidAt('diagnostic', 'session', at(4)), voidId);
  }
});

test('a void stands from its moment until it is restored, and the next one has its own', async () => {
  const student = await newStudent();
  const first = await voided(student, 'restored', 2, 4);
  const second = await voided(student, 'restored', 6);
  const { voidAt } = await correctionsOf(student);
  const stood = [1, 2, 3, 4, 5, 6, 7].map((day) => voidAt('diagnostic', 'restored', at(day)));
  assert.equal(stood, [null, first, first, null, null, second, second]);
  assert.is(voidAt('diagnostic', 'restored', present), second);
  assert.is(voidAt('practice', 'restored', present), null, 'of another kind');
});

test('evidence is read as the survivor’s and without what is voided, in windows that end later', async () => {
  const [gone, stays] = [await newStudent(), await newStudent()];
  const answers = answersOf({ LK_SOUND: 'CCUC' });
  const ofGone = await buildDiagnostic(owner, gone, answers, { finishedAt: at(2).toISOString() });
  const own = await buildDiagnostic(owner, stays, answers, { finishedAt: at(3).toISOString() });
  const wrong = await buildDiagnostic(owner, gone, answers, { finishedAt: at(4).toISOString() });
  await merge(gone, stays, 6);
  await voided(gone, wrong, 8);
  const days = [5, 6, 8];
  const windows = [gone, stays].flatMap(({ id: studentId }) =>
    days.map((day) => ({ studentId, from: at(1).toISOString(), to: at(day).toISOString() })),
  );
  const sessionsOf = await inContext(app.services.db, { organizationId: organizationId() }, (trx) =>
    loadEvidence(
      trx,
      { capabilities: app.services.capabilities, itemBanks: testBanks() },
      { organizationId: organizationId(), students: windows },
    ),
  );
  const found = windows.map((window) => idsOf(sessionsOf(window, pipelineOf(bundle))));
  const both = [ofGone, wrong].sort();
  assert.equal(found, [both, [], [], [own], [own, ...both].sort(), [own, ofGone].sort()]);
});

const idsOf = (sessions: readonly StudentSession[]): string[] =>
  sessions.map(({ session }) => session.sessionId).sort();

test.run();
