// Stores which course is which class, all mappings of a request or none.

import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, type ErrorDetail, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { SchoolClass } from '#identity/people/index.ts';
import type { Provider } from '../enums.ts';
import { type Mapping, mappingsOf } from './queries.ts';

export interface MappingInput {
  readonly courseExternalId: string;
  /** Null removes the mapping of the course. */
  readonly classId: number | null;
}

interface MappingRow {
  readonly organizationId: string;
  readonly provider: Provider;
  readonly courseExternalId: string;
  readonly classId: number;
  readonly mappedAt: string;
}

const LmsMapping = modelOf<MappingRow>('lms_mapping', { id: ['organizationId', 'provider', 'courseExternalId'] });

interface Saving {
  readonly organizationId: string;
  readonly provider: Provider;
  /** The active courses of the source. */
  readonly courseIds: ReadonlySet<string>;
  readonly now: Date;
}

/**
 * Returns all mappings of the provider. Throws VALIDATION_ERROR for a course that is unknown or repeated, NOT_FOUND for a
 * class of another organization, and CONFLICT `archived`.
 */
export async function saveMappings(trx: Trx, saving: Saving, inputs: readonly MappingInput[]): Promise<Mapping[]> {
  const { organizationId, provider, now } = saving;
  const known = await mappingsOf(trx, saving);
  refuseCourses(inputs, saving.courseIds, new Set(known.map(({ courseExternalId }) => courseExternalId)));
  await requireClasses(trx, organizationId, inputs);
  const gone = inputs.filter(({ classId }) => classId === null).map(({ courseExternalId }) => courseExternalId);
  await LmsMapping.query(trx).where({ organizationId, provider }).whereIn('courseExternalId', gone).delete();
  const kept = inputs.flatMap(({ courseExternalId, classId }) =>
    classId === null ? [] : [{ organizationId, provider, courseExternalId, classId, mappedAt: now.toISOString() }],
  );
  if (kept.length > 0) {
    await LmsMapping.query(trx)
      .insert(kept)
      .onConflict(['organizationId', 'provider', 'courseExternalId'])
      .merge(['classId', 'mappedAt']);
  }
  return mappingsOf(trx, saving);
}

/** The mapping of a course that the source no longer has can still be removed. */
function refuseCourses(
  inputs: readonly MappingInput[],
  courseIds: ReadonlySet<string>,
  mapped: ReadonlySet<string>,
): void {
  const seen = new Set<string>();
  const details: ErrorDetail[] = [];
  for (const [at, { courseExternalId, classId }] of inputs.entries()) {
    const field = `mappings.${at}.courseExternalId`;
    const isKnown = courseIds.has(courseExternalId) || (classId === null && mapped.has(courseExternalId));
    if (seen.has(courseExternalId)) details.push({ field, issue: 'repeated' });
    else if (!isKnown) details.push({ field, issue: 'unknown_course' });
    seen.add(courseExternalId);
  }
  if (details.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'Some of these are no courses of the learning platform.', { details });
}

/** The locks keep the classes from being deleted or archived until they are mapped. */
async function requireClasses(trx: Trx, organizationId: string, inputs: readonly MappingInput[]): Promise<void> {
  const ids = [...new Set(inputs.flatMap(({ classId }) => (classId === null ? [] : [classId])))];
  const named = SchoolClass.query(trx).where({ organizationId }).whereIn('id', ids).orderBy('id');
  const classes = await lockRows('class', 'share', named);
  if (classes.length !== ids.length) throw notFound();
  const archived = new Set(classes.filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id));
  const at = inputs.findIndex(({ classId }) => classId !== null && archived.has(classId));
  if (at >= 0) throw conflict('archived', 'The class is archived.', `mappings.${at}.classId`);
}
