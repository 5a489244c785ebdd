// An impact on the whole platform runs in one organization after the other, each in its own context and with its part of the report.

import type { JobStep } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { insertRows } from '#core/platform/sql.ts';
import { type ImpactPart, markOf, partOf, withoutSchools } from '../engine/part.ts';
import { emptyPosition, type ImpactPosition } from '../engine/position.ts';
import { type ImpactJob, jobIn } from '../input.ts';
import { type RulePair, rulePairOf, scalesOf } from '../rule-pair.ts';
import { nextOrganization } from '../students.ts';
import { impactStep, type StudentsAtOnce } from './step.ts';

export async function platformStep(
  services: Services,
  job: ImpactJob,
  known: ImpactPosition | null,
  atOnce: StudentsAtOnce,
): Promise<JobStep<ImpactPosition>> {
  const rulePair = await rulePairOf(services, job);
  const begun = known ?? (await inNextOrganization(services, emptyPosition(rulePair.layers), ''));
  if (begun.organizationId === null) return { done: begun.seen, position: begun, isLast: true };
  const { organizationId } = begun;
  const { position, done, isLast } = await impactStep(services, jobIn(job, organizationId), begun, atOnce);
  if (!isLast) return { position, done, isLast };
  const next = await inNextOrganization(services, position, organizationId);
  const keep = (trx: Trx) => savePart(trx, job, partFrom(organizationId, position, rulePair));
  return { position: next, done, isLast: next.organizationId === null, keep };
}

/** Sets `organizationId` to null after the last organization. */
async function inNextOrganization({ db }: Services, position: ImpactPosition, after: string): Promise<ImpactPosition> {
  const next = await inReadOnlyContext(db, 'SUPER', (trx) => nextOrganization(trx, after));
  return { ...withoutSchools(position), lastId: 0, organizationId: next ?? null, mark: markOf(position) };
}

function partFrom(organizationId: string, position: ImpactPosition, rulePair: RulePair): ImpactPart {
  const mark = position.mark ?? markOf(emptyPosition(rulePair.layers));
  return partOf(organizationId, position, mark, { layers: rulePair.layers, scales: scalesOf(rulePair) });
}

async function savePart(trx: Trx, { id: jobId }: ImpactJob, part: ImpactPart): Promise<void> {
  await insertRows(trx, 'rule_job_part', [{ organizationId: part.organizationId, jobId, part }]);
}

interface PartRow {
  readonly organizationId: string;
  readonly jobId: string;
  readonly part: ImpactPart;
}

const RuleJobPart = modelOf<PartRow>('rule_job_part', { id: ['organizationId', 'jobId'], json: ['part'] });

/** Returns parts in the order of the organizations' ids. */
export const partsOf = ({ db }: Services, { id: jobId }: ImpactJob): Promise<ImpactPart[]> =>
  inReadOnlyContext(db, 'SUPER', async (trx) => {
    const rows: { part: ImpactPart }[] = await RuleJobPart.query(trx)
      .where({ jobId })
      .whereNotNull('organizationId')
      .orderBy('organizationId');
    return rows.map(({ part }) => part);
  });
