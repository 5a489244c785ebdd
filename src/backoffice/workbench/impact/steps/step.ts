// One step of an impact job simulates the next students, in the order of their ids, in chunks.

import type { JobStep } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { inChunks, slicesOf } from '../../chunks.ts';
import { addPosition } from '../engine/add-position.ts';
import { emptyPosition, type ImpactPosition } from '../engine/position.ts';
import type { ImpactScope, OrganizationJob } from '../input.ts';
import { rulePairOf } from '../rule-pair.ts';
import { nextStudents } from '../students.ts';
import { impactChunk } from './chunk.ts';

/** How many students at once: when their stored input is valid, and when their evidence is read anew. */
export interface StudentsAtOnce {
  readonly stored: number;
  readonly gathered: number;
}

/** Reading evidence holds all sessions of the students in memory. */
const studentsOfChunk: StudentsAtOnce = { stored: 100, gathered: 50 };

export async function impactStep(
  services: Services,
  job: OrganizationJob,
  position: ImpactPosition | null,
  atOnce: StudentsAtOnce,
): Promise<JobStep<ImpactPosition>> {
  const { id: jobId, organizationId, input } = job;
  const rulePair = await rulePairOf(services, job);
  const next = position ? structuredClone(position) : emptyPosition(rulePair.layers);
  const way = rulePair.alike ? 'stored' : 'gathered';
  const now = services.clock.now();
  const students = await inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const { rules } = await services.rules.at(trx, now);
    const { schoolYear: yearStart } = rules.values<CatalogueDocument>('catalogue/subskills');
    return nextStudents(trx, job, { yearStart, now }, next.lastId, atOnce[way]);
  });
  const isFirst = next.lastId === 0 && isWhole(input.scope);
  const withoutStudent = isFirst && rulePair.records.some(({ simulation }) => simulation.withoutStudent === true);
  const pieces = slicesOf(students, studentsOfChunk[way]);
  const chunks = (withoutStudent && pieces.length === 0 ? [[]] : pieces).map((some, at) => {
    return { jobId, organizationId, input, students: some, withoutStudent: withoutStudent && at === 0 };
  });
  for (const found of await inChunks(services, impactChunk, chunks)) addPosition(next, found);
  next.lastId = students.at(-1)?.studentId ?? next.lastId;
  next.seen += students.length;
  return { done: next.seen, position: next, isLast: students.length < atOnce[way] };
}

/** A scope of whole organizations holds records that are about no student. */
const isWhole = (scope: ImpactScope): boolean => 'organizationId' in scope || 'platform' in scope;
