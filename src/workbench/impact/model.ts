// The impact of a draft as a long job: exactly what would change for whom if it were in force. Reads only.
import { inReadOnlyContext, type Trx } from '../../platform/db.ts';
import type { Services } from '../../services.ts';
import type { JobModel } from '../jobs/runner.ts';
import type { ImpactPosition } from './engine/position.ts';
import { gradeReports, layerReports, ruleHitReports, schoolReports } from './engine/report.ts';
import { resolveExemplars } from './exemplars.ts';
import type { ImpactInput, ImpactJob } from './input.ts';
import { impactStep, type StudentsAtOnce } from './step.ts';
import { countStudents } from './students.ts';
import { notRehearsed, ruleTablesOf, scalesOf, trialOf } from './trial.ts';

export const impactModelOf = (atOnce: StudentsAtOnce): JobModel<ImpactInput, ImpactPosition> => ({
  kind: 'impact',
  size: (services, job) => reading(services, job, (trx) => countStudents(trx, job)),
  step: (services, job, position) => impactStep(services, job, position, atOnce),
  report: (services, job, position) => reading(services, job, (trx) => reportOf(trx, services, job, position)),
});

/** Stored inputs are small; gathering evidence holds all sessions of its students at once. */
export const impactModel = impactModelOf({ stored: 500, gathered: 100 });

const reading = <T>({ db }: Services, { organizationId }: ImpactJob, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inReadOnlyContext(db, { organizationId }, work);

/** Lists are sorted by what they hold, so that the same facts give the same bytes. */
async function reportOf(trx: Trx, services: Services, job: ImpactJob, position: ImpactPosition) {
  const { draftId, sha256, scope, asOf, before, companions } = job.input;
  const trial = await trialOf(services, trx, job.input);
  const { seen, evaluated, changed, appended } = position;
  const exemplarsOf = await resolveExemplars(trx, services, job, trial, position);
  return {
    ...{ draftId, sha256, scope, asOf, before, after: trial.after.bundle.versions, companions },
    students: { total: seen, evaluated, withoutResults: seen - evaluated, changed },
    layers: layerReports(position, scalesOf(trial), exemplarsOf),
    bySchool: schoolReports(position),
    byGrade: gradeReports(position),
    ruleHits: ruleHitReports(position, ruleTablesOf(trial)),
    announcements: {
      skillSnapshots: appended.skills,
      domainSnapshots: appended.domains,
      macroUpdates: appended.runs,
    },
    recomputes: evaluated,
    notRehearsed: notRehearsed(trial),
  };
}
