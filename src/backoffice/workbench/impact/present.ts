// Presents an impact job.
import type { JobRow } from '#core/long-jobs/index.ts';
import type { Simulator } from '#rules/rulesets/index.ts';
import type { ImpactReport } from './schemas.ts';

/** A report as the job stores it: the hash is a column, and reports that are older than a simulator lack its section. */
type StoredReport = Omit<ImpactReport<Readonly<Record<string, unknown>>>, 'reportHash'> & OldReport;

interface OldReport {
  /** The name of `notSimulated` in reports that were stored before it was renamed. */
  readonly notRehearsed?: readonly string[];
}

export function presentImpact(
  { id: jobId, state, done, total, issue, report, reportHash }: JobRow,
  simulators: readonly Simulator[],
) {
  const progress = { done, total };
  if (report === null || reportHash === null) return { jobId, state, progress, issue };
  return {
    jobId,
    state,
    progress,
    issue,
    report: { ...presentReport(report as StoredReport, simulators), reportHash },
  };
}

function presentReport(found: StoredReport, simulators: readonly Simulator[]) {
  const { changeId, changeSha256, documents, scope, asOf, before, after } = found;
  const sections = simulators.flatMap(({ section }) =>
    section && found[section.name] !== undefined ? [[section.name, found[section.name]]] : [],
  );
  return {
    ...{ changeId, changeSha256, documents, scope, asOf, before, after },
    students: found.students,
    layers: found.layers,
    bySchool: found.bySchool,
    byGrade: found.byGrade,
    ruleHits: found.ruleHits,
    announcements: found.announcements,
    ...Object.fromEntries(sections),
    recomputes: found.recomputes,
    notSimulated: found.notSimulated ?? found.notRehearsed,
    organizations: found.organizations,
  };
}
