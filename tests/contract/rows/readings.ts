// Creates oral readings with SQL, because the service starts none in the demo organization.
import { newId } from '#core/platform/ids.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** Creates an open reading of a student of grade 1. */
export async function openReading({ database, clock }: TestApp, student: UserRow): Promise<string> {
  const id = newId();
  await database.owner('orf_assessment').insert({
    id,
    organizationId: student.organizationId,
    studentId: student.id,
    status: 'OPEN',
    grade: 1,
    season: 'MOY',
    schoolYear: '2025-2026',
    passageId: 'ORF-G1-01',
    passagesVersion: 1,
    benchmarkKey: 'orf-wcpm-global-g1-moy',
    benchmarkVersion: 1,
    startedAt: clock.now(),
  });
  return id;
}
