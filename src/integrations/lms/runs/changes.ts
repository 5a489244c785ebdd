// Reads the changes of a commit, row by row, as the commit has recorded them.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import type { LmsSyncRun } from './rows.ts';
import type { ClassTeaching } from './teaching.ts';

/** How long the changes of a commit are kept. */
export const changesKeptDays = 30;

export interface PersonValues {
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly status: 'active' | 'inactive';
}

interface Side {
  /** Null when there was no account. */
  readonly person?: PersonValues | null;
  readonly role?: 'student' | 'teacher';
  readonly classId?: number | null;
  readonly teaching?: ClassTeaching | null;
}

interface After extends Side {
  readonly externalId?: string;
  /** The commit has linked the person to this id. */
  readonly isLinked?: boolean;
  /** A first sign-in had linked the person, and the commit has adopted the link. */
  readonly wasByEmail?: boolean | null;
  /** The ids of links of guardians and children that the commit has made. */
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

/** The class of an enrollment, whether the person joined or left it. */
export const classOfChange = "coalesce((c.before ->> 'classId')::bigint, (c.after ->> 'classId')::bigint)";

const keyOf = ({ organizationId, id: runId }: LmsSyncRun) => ({ organizationId, runId });

/** Yields the changes of people, or of enrollments, in order and page by page. */
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
