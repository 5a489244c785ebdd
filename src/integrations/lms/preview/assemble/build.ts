// Builds a preview: reads the roster and compares it with the organization, of which nothing is written.
import { type LeasedKind, runLeased } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rosterRetries } from '#core/platform/retries.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Organization } from '#identity/people/index.ts';
import { findConnection, type LmsConnection } from '../../connections/rows.ts';
import type { RunError } from '../../enums.ts';
import { openSource, ProviderFault } from '../../provider.ts';
import { type BuiltPreview, failPreview, finishPreview, previewRows, removeStaged, whileHeld } from '../lease.ts';
import { type LmsPreview, LmsPreviewRow, type PreviewKey, type PreviewSummary, type PreviewWarning } from '../rows.ts';
import { buildEnrollments } from './enrollments.ts';
import { findConflictsOfMany } from './guards.ts';
import { buildPeople } from './people.ts';
import { presentCourses, type ReadRoster } from './read-roster.ts';
import { stageRoster, type UnreadCourses } from './stage.ts';

/**
 * Builds the preview unless another process does. `stop`: raised when the process is about to end; another process then
 * starts again. `read`: the roster when it was read already.
 */
export async function buildPreview(
  services: Services,
  key: PreviewKey,
  stop?: AbortSignal,
  read?: ReadRoster,
): Promise<void> {
  await runLeased(services, previewOf(read), key, stop);
}

const previewOf = (read: ReadRoster | undefined): LeasedKind<LmsPreview> => ({
  name: 'preview of a roster',
  rows: previewRows,
  retries: rosterRetries,
  attempt: async (services, preview, signal) =>
    finishPreview(services.db, preview, await buildRows(services, preview, { signal, read })),
  isFinal: (error) => errorOf(error) !== 'internal',
  fail: ({ db }, preview, error) => failPreview(db, preview, errorOf(error)),
  isInterruptible: true,
});

/** Returns the error code of a roster that could not be read or compared. */
export function errorOf(error: unknown): RunError {
  if (error instanceof ProviderFault) return error.error;
  return error instanceof AppError && error.code === 'CONFLICT' ? 'grant_revoked' : 'internal';
}

interface BuildOptions {
  readonly signal?: AbortSignal | undefined;
  readonly read?: ReadRoster | undefined;
}

async function buildRows(
  services: Services,
  preview: LmsPreview,
  { signal, read }: BuildOptions,
): Promise<BuiltPreview> {
  const { db } = services;
  const { connection, today } = await connectionToday(services, preview);
  await whileHeld(db, preview, async (trx) => {
    await removeStaged(trx, preview);
    await LmsPreviewRow.query(trx).where({ organizationId: preview.organizationId, previewId: preview.id }).delete();
  });
  const source = read ?? openSource(services, connection);
  const runSignal = connection.kind === 'csv' ? signal : services.lmsClient.runSignal(signal);
  const courses = await source.listCourses({ inWorker: true, signal: runSignal });
  const { present, gone } = presentCourses(courses, preview.courseExternalIds);
  const unread = new Map([
    ...gone,
    ...(await stageRoster({ services, preview, today, signal: runSignal }, source, present)),
  ]);
  const complete = preview.courseExternalIds.filter((id) => !unread.has(id));
  const position = await buildPeople({ db, preview, complete, signal });
  const gradeOf = new Map(courses.map(({ courseExternalId, grade }) => [courseExternalId, grade]));
  await buildEnrollments({ db, preview, complete, gradeOf, today, position, signal });
  await whileHeld(db, preview, (trx) => findConflictsOfMany(trx, preview));
  return summarize(db, preview, unread);
}

/**
 * Returns the connection and today's date in the time zone of the organization. Throws ProviderFault `grant_revoked` when the
 * connection has ended.
 */
export async function connectionToday(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organizationId, connectionId: id }: Pick<LmsPreview, 'organizationId' | 'connectionId'>,
) {
  return inReadOnlyContext(db, { organizationId }, async (trx) => {
    const connection: LmsConnection | undefined = await findConnection(trx, { organizationId, id });
    if (connection?.status !== 'active') throw new ProviderFault('grant_revoked', 'the connection has ended');
    const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
    return { connection, today: localDate(clock.now(), timeZone) };
  });
}

const skippedCodes = ['bad_value', 'unresolved_reference'];

/** Returns the counts by action, and the warnings about the roster for the administrator. */
async function summarize(
  db: Db,
  { organizationId, id: previewId, courseExternalIds }: LmsPreview,
  unread: UnreadCourses,
): Promise<BuiltPreview> {
  const key = { organizationId, previewId };
  return inReadOnlyContext(db, { organizationId }, async (trx) => {
    const counts = await rowsOf<{ action: keyof PreviewSummary; reasonCode: string; count: number }>(
      trx,
      `select action, reason_code, count(*)::integer as count from lms_preview_row
       where organization_id = :organizationId and preview_id = :previewId group by action, reason_code`,
      key,
    );
    const filled = await rowsOf<{ courseExternalId: string }>(
      trx,
      `select w.id as course_external_id from unnest(:courseIds::text[]) as w (id)
       where exists (select from lms_staged_enrollment e where e.organization_id = :organizationId
         and e.preview_id = :previewId and e.course_external_id = w.id)`,
      { ...key, courseIds: courseExternalIds },
    );
    const full = new Set(filled.map(({ courseExternalId }) => courseExternalId));
    const summary: Record<keyof PreviewSummary, number> = { create: 0, update: 0, conflict: 0, skip: 0 };
    for (const { action, count } of counts) summary[action] += count;
    const skipped = counts.filter(({ reasonCode }) => skippedCodes.includes(reasonCode));
    const count = skipped.reduce((sum, one) => sum + one.count, 0);
    const warnings: PreviewWarning[] = courseExternalIds.flatMap((courseExternalId): PreviewWarning[] => {
      const code = unread.get(courseExternalId);
      if (code) return [{ code, courseExternalId }];
      return full.has(courseExternalId) ? [] : [{ code: 'empty_roster', courseExternalId }];
    });
    return { summary, warnings: count > 0 ? [...warnings, { code: 'rows_skipped', count }] : warnings };
  });
}
