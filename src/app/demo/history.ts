// Creates the history of a group of students: sittings in chronological order, and results after each morning.

import { recomputeStudents, SkillRun } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import type { Organization } from '#identity/people/index.ts';
import type { DemoChild } from './engine/child.ts';
import type { Visit } from './engine/visits.ts';
import { withFixedClock } from './fixed-clock.ts';
import { readToTeacher } from './read-aloud.ts';
import { type DemoSitting, takeDiagnostic } from './take-diagnostic.ts';

export interface DemoStudent {
  readonly studentId: number;
  readonly grade: number;
  readonly child: DemoChild;
  readonly visits: readonly Visit[];
}

/** Skips what exists, so that it can be repeated after an interruption. */
export async function takeVisits(
  services: Services,
  { id: organizationId }: Pick<Organization, 'id'>,
  classmates: readonly DemoStudent[],
  rulesOf: Date,
): Promise<void> {
  const mornings = new Set(classmates.flatMap(({ visits }) => visits.map(({ evaluatedAt }) => evaluatedAt.getTime())));
  for (const morning of [...mornings].sort((a, b) => a - b)) {
    const present = classmates.flatMap((student) =>
      student.visits
        .filter(({ evaluatedAt }) => evaluatedAt.getTime() === morning)
        .map((visit) => ({ ...student, visit })),
    );
    const past = withFixedClock(services, new Date(morning), rulesOf);
    const sat = await startsOf(services.db, organizationId, present);
    for (const input of present) {
      if (sat.has(`${input.studentId} ${input.visit.startsAt.toISOString()}`)) continue;
      await inContext(services.db, { organizationId }, (trx) => takeVisit(past, trx, input));
    }
    const evaluated = await evaluatedSince(services.db, organizationId, present, new Date(morning));
    const waiting = [...new Set(idsOf(present))].filter((id) => !evaluated.has(id));
    await recomputeStudents(past, organizationId, waiting, 'diagnostic_finished');
  }
}

const takeVisit = (services: Services, trx: Trx, input: DemoSitting): Promise<void> =>
  input.visit.part === null
    ? readToTeacher(services, trx, input)
    : takeDiagnostic(services, trx, input, input.visit.part);

type Present = Pick<DemoStudent, 'studentId'>;

const idsOf = (students: readonly Present[]) => students.map(({ studentId }) => studentId);

/**
 * Returns the starts of existing sittings. A sitting is written in one transaction, so its start proves that it is
 * complete.
 */
async function startsOf(db: Db, organizationId: string, present: readonly Present[]): Promise<Set<string>> {
  const rows: { studentId: number; startedAt: string }[] = await inContext(db, { organizationId }, (trx) => {
    const startsIn = (table: string) =>
      trx(table).where({ organizationId }).whereIn('studentId', idsOf(present)).select('studentId', 'startedAt');
    return startsIn('diagnosticSession').unionAll(startsIn('orfAssessment'));
  });
  return new Set(rows.map(({ studentId, startedAt }) => `${studentId} ${startedAt}`));
}

async function evaluatedSince(
  db: Db,
  organizationId: string,
  present: readonly Present[],
  moment: Date,
): Promise<Set<number>> {
  const rows: { studentId: number }[] = await inContext(db, { organizationId }, (trx) =>
    SkillRun.query(trx)
      .whereIn('studentId', idsOf(present))
      .where('asOf', '>=', moment.toISOString())
      .distinct('studentId')
      .execute(),
  );
  return new Set(rows.map(({ studentId }) => studentId));
}
