// The cost of reading evidence of a few students in an organization without current statistics: only their own sessions
// and answers are read.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnosticEvidence } from '#assessment/measurement/evidence/diagnostics.ts';
import { practiceEvidence } from '#assessment/measurement/evidence/practice.ts';
import type { EvidenceRequest } from '#assessment/measurement/evidence/reader.ts';
import { newId } from '#core/platform/ids.ts';
import { buildClass, buildStudent, type ClassRow, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { answersOf, buildDiagnostic } from '../../skill-status/evidence.ts';
import { rowsRead } from './rows-read.ts';

const app = useApp(test, { ownStatements: true });
const { services } = app;
const { owner } = app.database;
const classmates = 60;
const asked = 9;
const finishedAt = '2026-01-10T09:00:00.000Z';
const year = { from: '2025-08-01T00:00:00.000Z', to: '2026-06-30T00:00:00.000Z' };

let classRow: ClassRow;
const students: UserRow[] = [];

test.before(async () => {
  classRow = await buildClass(owner);
  for (let made = 0; made < classmates; made++) {
    const student = await buildStudent(owner, classRow);
    students.push(student);
    const session = await buildDiagnostic(owner, student, answersOf({ LK_SOUND: 'CCLL' }), { finishedAt });
    await practised(student, session);
  }
});

/** A queue without answers. */
async function practised({ id: studentId, organizationId }: UserRow, diagnosticSessionId: string): Promise<void> {
  const own = { organizationId, schoolYear: '2025-2026' };
  await owner('practice_queue').insert({
    ...{ ...own, id: newId(), studentId, diagnosticSessionId, status: 'ACTIVE', gradeBand: 'G12', targets: '[]' },
    ...{ seenItemIds: [], itemBudget: 10, pinned: '{"bankVersion": "BANK@1"}', seededAt: finishedAt },
  });
}

function request(): EvidenceRequest {
  const windows = students.slice(0, asked).map(({ id }) => ({ studentId: id, ...year }));
  return { organizationId: classRow.organizationId, students: windows, itemBanks: services.itemBanks };
}

for (const [table, reader] of [
  ['diagnostic_session', diagnosticEvidence],
  ['practice_queue', practiceEvidence],
] as const) {
  test(`of ${classmates} rows of ${table} those of the ${asked} students who are asked for are read`, async () => {
    assert.is(await rowsRead(services.db, reader, request(), table), asked);
  });
}

test.run();
