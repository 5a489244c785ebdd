// Students with finished diagnostics, inserted directly into the database: each has 100 responses to 25 sub-skills of grade 2.

import type { ItemBanks } from '../../src/assessment/content/items/banks.ts';
import { currentBankVersion } from '../../src/assessment/content/items/banks.ts';
import type { Item } from '../../src/assessment/content/items/engine/item.ts';
import type { Db } from '../../src/core/platform/db.ts';
import { newId } from '../../src/core/platform/ids.ts';
import { insertRows } from '../../src/core/platform/sql.ts';
import { storeAnswers } from '../../tests/assessment/skill-status/evidence.ts';
import { schoolYearOfToday } from '../../tests/harness/clock.ts';
import { buildClass, buildTeacher, type ClassRow, type UserRow } from '../../tests/harness/factories.ts';
import type { Service } from './service.ts';

export interface School {
  readonly organizationId: string;
  readonly classRow: ClassRow;
  readonly teacher: UserRow;
  readonly studentIds: readonly number[];
}

const grade = 2;
const sessionsOfStudent = 5;
const subSkillsOfSession = 5;
const itemsOfSubSkill = 4;
const hourMs = 3_600_000;
const bankVersion = `content/item-bank@${currentBankVersion}`;
/** The students whose rows are inserted at once. */
const batch = 50;

/** `withEvidence` false creates students without sessions. */
export async function buildSchool({ owner, services }: Service, count: number, withEvidence: boolean): Promise<School> {
  const classRow = await buildClass(owner, { grade, academicYear: schoolYearOfToday() });
  const { organizationId } = classRow;
  const teacher = await buildTeacher(owner, classRow);
  const studentIds = await insertStudents(owner, classRow, count);
  if (withEvidence) {
    const items = await itemsOf(services.itemBanks);
    for (let from = 0; from < count; from += batch) {
      const sessions = studentIds.slice(from, from + batch).flatMap((id, at) => sittings(id, from + at, items));
      await insertSessions(owner, organizationId, sessions);
    }
  }
  await owner.raw('analyze');
  return { organizationId, classRow, teacher, studentIds };
}

export async function insertStudents(
  owner: Db,
  { id: classId, organizationId }: ClassRow,
  count: number,
): Promise<number[]> {
  const student = { organizationId, scope: 'ORGANIZATION', primaryPersona: 'STUDENT', fullNameAr: 'طالب' };
  const rows = Array.from({ length: count }, () => ({ ...student, createdAt: new Date() }));
  const users: { id: number }[] = await owner('app_user').insert(rows).returning('id');
  const enrolledFrom = '2020-01-01';
  const enrollments = users.map(({ id: studentId }) => ({ organizationId, studentId, classId, enrolledFrom }));
  await owner('enrollment').insert(enrollments);
  return users.map(({ id }) => id);
}

/** Requests a recompute of every student in one commit, as that many finished diagnostics would. */
export async function announce({ owner }: Service, { organizationId, studentIds }: School): Promise<void> {
  await owner.transaction(async (trx) => {
    const createdAt = new Date();
    await insertRows(
      trx,
      'outbox',
      studentIds.map((studentId) => {
        return { organizationId, topic: 'diagnostic.finished', payload: { studentId, sessionId: 'bench' }, createdAt };
      }),
    );
    await trx.raw("select pg_notify('outbox', '')");
  });
}

/** Returns the items of each sub-skill that has enough of them, as many as the sessions need. */
async function itemsOf(banks: ItemBanks): Promise<readonly (readonly Item[])[]> {
  const bank = await banks.current();
  const codes = [...new Set(bank.items.map(({ subSkillCode }) => subSkillCode))].sort();
  const cells = codes.map((code) => bank.cell(code, 'G12').filter(({ status }) => status === 'active'));
  const full = cells.filter((cell) => cell.length >= itemsOfSubSkill);
  return full.slice(0, sessionsOfStudent * subSkillsOfSession).map((cell) => cell.slice(0, itemsOfSubSkill));
}

interface Sitting {
  readonly id: string;
  readonly studentId: number;
  /** The index of the student, which determines their wrong answers. */
  readonly index: number;
  readonly part: number;
  readonly finishedAt: string;
  readonly items: readonly Item[];
}

function sittings(studentId: number, index: number, cells: readonly (readonly Item[])[]): Sitting[] {
  return Array.from({ length: sessionsOfStudent }, (_, part) => ({
    id: newId(),
    studentId,
    index,
    part,
    finishedAt: new Date(Date.now() - (sessionsOfStudent - part) * hourMs).toISOString(),
    items: cells.slice(part * subSkillsOfSession, (part + 1) * subSkillsOfSession).flat(),
  }));
}

async function insertSessions(owner: Db, organizationId: string, sittings: readonly Sitting[]): Promise<void> {
  const own = { organizationId, schoolYear: 'bench' };
  const served = sittings.flatMap((sitting) => sitting.items.map((item, at) => servedItem(sitting, item, at)));
  await owner.transaction(async (trx) => {
    const insert = (table: string, rows: readonly object[]) =>
      insertRows(
        trx,
        table,
        rows.map((row) => ({ ...own, ...row })),
      );
    await insert('diagnostic_session', sittings.map(sessionRow));
    await insert(
      'diagnostic_served_item',
      served.map(({ row }) => row),
    );
    await insert(
      'diagnostic_response',
      served.map(({ response }) => response),
    );
    await storeAnswers(
      trx,
      organizationId,
      sittings.map(({ id }) => id),
    );
    await insert('diagnostic_estimate', sittings.flatMap(estimateRows));
    await insert('rbm_log', sittings.map(logRow));
  });
}

const sessionRow = ({ id, studentId, part, finishedAt, items }: Sitting) => ({
  id,
  studentId,
  status: 'FINISHED',
  finishReason: 'completed',
  finishedAt,
  startedAt: finishedAt,
  expiresAt: finishedAt,
  formCode: `DIAG-G${grade}-P${part + 1}`,
  partIndex: part + 1,
  partCount: sessionsOfStudent,
  grade,
  gradeBand: 'G12',
  season: 'BOY',
  schoolYear: 'bench',
  subSkills: subSkillsIn(items),
  closedSubSkills: [],
  seenItemIds: [],
  activeMsUsed: 0,
  pinned: { bankVersion },
});

/** One student in three is strong, one is weak in the second half of the sub-skills, one is wrong in some items of all. */
function servedItem({ id: sessionId, index, part, finishedAt, items }: Sitting, item: Item, at: number) {
  const id = newId();
  const seq = at + 1;
  const right = index % 3 === 0 || (index % 3 === 1 ? part < 3 : (at + index) % 4 !== 0);
  const wrong = item.options.find(({ index }) => index !== item.correctIndex)?.index ?? null;
  const key = { id, sessionId, seq, itemId: item.id, itemVersion: item.version, subSkillCode: item.subSkillCode };
  const latencyMs = 6_000 + ((index + at) % items.length) * 100;
  return {
    row: { ...key, difficultyLogit: item.difficulty, selectionTier: 1, servedAt: finishedAt },
    response: {
      servedItemId: id,
      sessionId,
      seq,
      selectedOptionIndex: right ? item.correctIndex : wrong,
      skipped: false,
      correct: right,
      reportedLatencyMs: latencyMs,
      latencyMs,
      optionChanges: 0,
      receivedAt: finishedAt,
    },
  };
}

const estimateRows = ({ id: sessionId, items }: Sitting) =>
  subSkillsIn(items).map((subSkillCode) => ({
    sessionId,
    subSkillCode,
    theta: null,
    se: null,
    n: 0,
    stopReason: 'session_end',
    calibrationProvisional: true,
    ruleVersion: 'scoring/measurement@1',
  }));

const logRow = ({ id: sessionId, studentId, finishedAt }: Sitting) => ({
  studentId,
  sessionId,
  source: 'diagnostic',
  at: finishedAt,
  ruleVersion: 'RBM@1',
  flags: ['RBM-00'],
  facts: {},
  markedSeqs: [],
});

const subSkillsIn = (items: readonly Item[]): string[] => [...new Set(items.map(({ subSkillCode }) => subSkillCode))];
