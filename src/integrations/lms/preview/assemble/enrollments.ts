// Writes the rows of enrollments of a preview, page by page.
import type { Db } from '#core/platform/db.ts';
import { joinedByHash, planForAnyValues, rowsOf } from '#core/platform/sql.ts';
import { identityOf } from '../../enums.ts';
import { holdErasures } from '../../personal-data/erased.ts';
import { whileHeld } from '../lease.ts';
import type { LmsPreview } from '../rows.ts';
import {
  type Completeness,
  enrollmentsOfPreview,
  type FoundEnrollment,
  openEnrollmentsOfPage,
  selectEnrollments,
  stagedEnrollments,
} from './enrollment-context.ts';
import { enrollmentRow } from './enrollment-rows.ts';
import { insertPreviewRows } from './people.ts';

/** The rows of a page, which is held in memory. */
const pageSize = 500;

export interface EnrollmentBuilding extends Completeness {
  readonly db: Db;
  readonly preview: LmsPreview;
  /** The grades of the courses of the source. */
  readonly gradeOf: ReadonlyMap<string, number | null>;
  readonly today: string;
  /** The position of the first row. */
  readonly position: number;
  readonly signal?: AbortSignal | undefined;
}

export async function buildEnrollments(building: EnrollmentBuilding): Promise<void> {
  const { signal } = building;
  let { position } = building;
  for (let [afterPerson, afterCourse, afterRole] = ['', '', '']; ; ) {
    signal?.throwIfAborted();
    const page = await buildPage(building, { afterPerson, afterCourse, afterRole }, position);
    position += page.length;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    ({ personExternalId: afterPerson, courseExternalId: afterCourse, role: afterRole } = last);
  }
}

/** Reads and writes in one transaction, so that an erasure happens before or after it. */
const buildPage = (
  building: EnrollmentBuilding,
  after: { readonly afterPerson: string; readonly afterCourse: string; readonly afterRole: string },
  position: number,
): Promise<readonly FoundEnrollment[]> =>
  whileHeld(building.db, building.preview, async (trx) => {
    const { organizationId, id: previewId, provider } = building.preview;
    await holdErasures(trx, organizationId);
    await planForAnyValues(trx);
    const page = await joinedByHash(trx, () =>
      rowsOf<FoundEnrollment>(trx, selectEnrollments(stagedEnrollments, openEnrollmentsOfPage, enrollmentsOfPreview), {
        organizationId,
        previewId,
        provider,
        identity: identityOf(provider),
        complete: [...building.complete],
        ...after,
        pageSize,
      }),
    );
    const rows = page.map((found, at) => enrollmentRow(building, found, position + at));
    if (rows.length > 0) await insertPreviewRows(trx, rows);
    return page;
  });
