// What leaves of an impact job.
import type { Static } from 'typebox';
import type { JobRow } from '#core/long-jobs/index.ts';
import type { ImpactReportView } from './schemas.ts';

/** As a job keeps it: its hash stands beside it. */
type StoredReport = Omit<Static<typeof ImpactReportView>, 'reportHash'>;

export function presentImpact({ id: jobId, state, done, total, issue, report, reportHash }: JobRow) {
  const progress = { done, total };
  if (report === null || reportHash === null) return { jobId, state, progress, issue };
  return { jobId, state, progress, issue, report: { ...presentReport(report as StoredReport), reportHash } };
}

const presentReport = ({ draftId, sha256, scope, asOf, before, after, companions, ...found }: StoredReport) => ({
  ...{ draftId, sha256, scope, asOf, before, after, companions },
  students: found.students,
  layers: found.layers,
  bySchool: found.bySchool,
  byGrade: found.byGrade,
  ruleHits: found.ruleHits,
  announcements: found.announcements,
  support: found.support,
  ...(found.rewards !== undefined && { rewards: found.rewards }),
  ...(found.notices !== undefined && { notices: found.notices }),
  recomputes: found.recomputes,
  notRehearsed: found.notRehearsed,
  organizations: found.organizations,
});
