// Documents that workers render, and what sessions let them render.
import { putInForce } from '../../../backoffice/workbench/next-version.ts';
import type { Aim, Entries } from '../../requests/entry.ts';

/** The walk's jobs are reports on the class: whoever works with it may ask for one. */
const expect = {
  ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 200, TEACHER: 200, PARENT: 403, STUDENT: 403, nobody: 401 },
  ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 403, 'STUDENT elsewhere': 403 },
} as const;

/** An accepted session. Another walk has put the rules for children out of force: nothing is printed without them. */
async function printable({ at, app }: Aim): Promise<string> {
  const newest = app.database.owner('rule_activation as a').join('rule_bundle as b', 'b.id', 'a.bundleId');
  const { versions } = await newest.orderBy('a.id', 'desc').first('b.versions');
  if (!Object.hasOwn(versions, 'language/student')) await putInForce(app);
  return at.place.fresh.session('accepted');
}

export const reportJobEntries: Entries = {
  generateSessionPdfs: {
    slots: ['place'],
    request: async (aim) => ({
      params: { id: await printable(aim) },
      body: { variants: ['student_sheet', 'answer_key'] },
    }),
  },
  listRecentlyGenerated: { slots: ['place'], request: ({ at }) => ({ query: { classId: at.place.classId } }) },
  getSessionOfflinePackFile: {
    slots: ['place'],
    request: async (aim) => ({ params: { id: await printable(aim) } }),
  },
  getReportJob: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { jobId: await at.place.fresh.report() } }),
    expect,
  },
  getReportJobFile: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { jobId: await at.place.fresh.report() } }),
    expect,
  },
};
