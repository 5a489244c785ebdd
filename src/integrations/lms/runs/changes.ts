// What a commit has changed, row by row, as it was recorded with it.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import type { LmsSyncRun } from './rows.ts';
import type { Teaching } from './teaching.ts';

/** How long it is known what a commit has changed. */
export const changesKeptDays = 30;

export interface PersonValues {
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly status: 'active' | 'inactive';
}

interface Side {
  /** Null: there was no account. */
  readonly person?: PersonValues | null;
  readonly role?: 'student' | 'teacher';
  readonly classId?: number | null;
  readonly teaching?: Teaching | null;
}

interface After extends Side {
  readonly externalId?: string;
  /** The commit has linked the person to it. */
  readonly isLinked?: boolean;
  /** A first sign-in had, and the commit has made the link its own. */
  readonly wasByEmail?: boolean | null;
  /** Ids of links of guardians and children that the commit has made. */
  readonly links?: readonly string[] | null;
}

export interface StoredChange {
  readonly position: number;
  readonly rowId: string;
  readonly userId: number;
  readonly before: Side;
  readonly after: After;
}

export const ofRun = `c.organization_id = :organizationId and c.run_id = :runId
  and not jsonb_exists(c.after, 'isOnlyRemembered')`;

/** Of an enrollment, whether somebody came to it or left it. */
export const classOfChange = "coalesce((c.before ->> 'classId')::bigint, (c.after ->> 'classId')::bigint)";

const keyOf = ({ organizationId, id: runId }: LmsSyncRun) => ({ organizationId, runId });

/** Of people, or of enrollments, in order and page by page. */
export async function* pagesOfChanges(
  trx: Trx,
  run: LmsSyncRun,
  kind: 'person' | 'enrollment',
): AsyncIterable<readonly StoredChange[]> {
  const key = { ...keyOf(run), isPerson: kind === 'person' };
  const ofKind = `lms_change c where ${ofRun} and jsonb_exists(c.after, 'person') = :isPerson`;
  for await (const part of positionRanges(trx, ofKind, key)) {
    const page = await rowsOf<StoredChange>(
      trx,
      `select c.position, c.row_id, c.user_id, c.before, c.after from ${ofKind}
         and c.position > :after and c.position <= :upTo
       order by c.position`,
      { ...key, ...part },
    );
    if (page.length > 0) yield page;
  }
}
