// Documents that workers render, and papers of lessons.
import { putInForce } from '../../../backoffice/workbench/next-version.ts';
import type { Aim, Entries } from '../../requests/entry.ts';

/** The jobs are reports about the class: everyone who works with it may request one. */
const expect = {
  ...{ SUPER: 200, ADMIN: 200, MANAGER: 403, PRINCIPAL: 200, TEACHER: 200, PARENT: 403, STUDENT: 403, nobody: 401 },
  ...{ 'PRINCIPAL elsewhere': 403, 'TEACHER elsewhere': 403, 'PARENT elsewhere': 403, 'STUDENT elsewhere': 403 },
} as const;

/**
 * Returns an accepted lesson. Another test has deactivated the language rules for students, without which no paper is
 * printed.
 */
async function printable({ at, app }: Aim): Promise<string> {
  const newest = app.database.owner('rule_activation as a').join('rule_bundle as b', 'b.id', 'a.bundleId');
  const { versions } = await newest.orderBy('a.id', 'desc').first('b.versions');
  if (!Object.hasOwn(versions, 'language/student')) await putInForce(app);
  return at.tenant.fresh.session('accepted');
}

export const reportJobEntries: Entries = {
  generateSessionPdfs: {
    slots: ['tenant'],
    request: async (aim) => ({
      params: { id: await printable(aim) },
      body: { variants: ['student_sheet', 'answer_key'] },
    }),
  },
  listRecentlyGenerated: { slots: ['tenant'], request: ({ at }) => ({ query: { classId: at.tenant.classId } }) },
  getSessionOfflinePackFile: {
    slots: ['tenant'],
    request: async (aim) => ({ params: { id: await printable(aim) } }),
  },
  getReportJob: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { jobId: await at.tenant.fresh.report() } }),
    expect,
  },
  getReportJobFile: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { jobId: await at.tenant.fresh.report() } }),
    expect,
  },
};
