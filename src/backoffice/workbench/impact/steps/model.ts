// The impact of a change as a long job: exactly what would change for whom if it were in force. It only reads.

import type { JobModel } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { simulatorsOf } from '#rules/rulesets/index.ts';
import type { ImpactPosition } from '../engine/position.ts';
import { gradeReports, layerReports, ruleHitReports, schoolReports } from '../engine/report.ts';
import { simulationCounts } from '../engine/simulated-counts.ts';
import { resolveExemplars } from '../exemplars/exemplars.ts';
import type { ImpactInput, ImpactJob, OrganizationJob } from '../input.ts';
import { notSimulated, rulePairOf, ruleTablesOf, scalesOf, sectionsOf } from '../rule-pair.ts';
import { countAllStudents, countStudents } from '../students.ts';
import { partsOf, platformStep } from './platform.ts';
import { impactStep, type StudentsAtOnce } from './step.ts';

export const impactModelOf = (atOnce: StudentsAtOnce): JobModel<ImpactInput, ImpactPosition> => ({
  kind: 'impact',
  size: ({ db }, job) => {
    if (!isOfOrganization(job)) return inReadOnlyContext(db, 'SUPER', countAllStudents);
    return inReadOnlyContext(db, { organizationId: job.organizationId }, (trx) => countStudents(trx, job));
  },
  step: (services, job, position) =>
    isOfOrganization(job) ? impactStep(services, job, position, atOnce) : platformStep(services, job, position, atOnce),
  report: reportOf,
});

const isOfOrganization = (job: ImpactJob): job is OrganizationJob => job.organizationId !== null;

/** Enough to occupy all threads, few enough to end soon when a worker stops. */
export const impactModel = impactModelOf({ stored: 1_000, gathered: 500 });

/** Lists are sorted by their contents, so that the same facts give the same bytes. */
async function reportOf(services: Services, job: ImpactJob, position: ImpactPosition) {
  const { changeId, changeSha256, documents, scope, asOf, before } = job.input;
  const rulePair = await rulePairOf(services, job);
  const { seen, evaluated, changed, restated, appended } = position;
  const organizations = await partsOf(services, job);
  const exemplarsOf = await resolveExemplars(services, job, rulePair, position);
  return {
    ...{ changeId, changeSha256, documents, scope, asOf, before, after: rulePair.after.bundle.versions },
    students: { total: seen, evaluated, withoutResults: seen - evaluated, changed, restated },
    layers: layerReports(position, { layers: rulePair.layers, scales: scalesOf(rulePair) }, exemplarsOf),
    bySchool: [...organizations.flatMap(({ bySchool }) => bySchool), ...schoolReports(position)],
    byGrade: gradeReports(position),
    ruleHits: ruleHitReports(position, ruleTablesOf(rulePair)),
    announcements: {
      skillSnapshots: appended.skills,
      domainSnapshots: appended.domains,
      macroUpdates: appended.runs,
    },
    ...sectionsOf(rulePair, simulatorsOf(services.capabilities), simulationCounts(position)),
    recomputes: rulePair.evaluatesRuns ? evaluated : 0,
    notSimulated: notSimulated(rulePair),
    organizations: organizations.map(({ bySchool: _bySchool, ...part }) => part),
  };
}
