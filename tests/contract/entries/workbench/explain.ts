// Explains a stored result: the newest run of the target's student.

import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Aim, Entries } from '../../requests/entry.ts';

/** Returns a run, which is created when the student has none, or an unused id when there is no such student. */
async function runOf({ at: { tenant }, app }: Aim): Promise<string> {
  const { organizationId, studentId } = tenant;
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
