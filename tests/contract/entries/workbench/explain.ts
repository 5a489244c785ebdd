// Explaining a stored result: the newest run of the target's student.

import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Aim, Entries } from '../../requests/entry.ts';

/** A run is made where the student has none; no row's id where there is no such student. */
async function runOf({ at: { place }, app }: Aim): Promise<string> {
  const { organizationId, studentId } = place;
  const { owner } = app.database;
  const student = await inContext(owner, 'SUPER', (trx) => trx('app_user').where({ id: studentId }).first('id'));
  if (!student) return newId();
  const newest = () =>
    inContext(owner, 'SUPER', (trx) =>
      trx('sse_run').where({ organizationId, studentId }).orderBy('seq', 'desc').first('id'),
    );
  if (!(await newest())) await recomputeStudents(app.services, organizationId, [studentId], 'admin');
  const run = await newest();
  if (!run) throw new Error('the student has no run');
  return run.id;
}

export const workbenchExplainEntries: Entries = {
  explainResult: { request: async (aim) => ({ params: { stampId: `run:${await runOf(aim)}` } }) },
};
