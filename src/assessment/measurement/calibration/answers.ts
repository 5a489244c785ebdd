// Stored answers of one cell, for calibration: platform-wide, because no organization alone has enough, and without a word
// of whose they are. Diagnostics only: practice tells children how they did.

import { type Db, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { GradeBand, Item } from '../../content/index.ts';
import type { CellAnswers, GroupedSitting } from './engine/calibrate-cell.ts';

export interface CellInput {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly items: readonly Item[];
  /** Slugs of organizations whose children are not real, beside those marked as demo. */
  readonly simulated: readonly string[];
  /** Students by whether their first language is another one; nothing is known of the others. */
  readonly otherFirstLanguage: ReadonlyMap<number, boolean>;
}

interface SittingRow {
  readonly studentId: number;
  readonly grade: number;
  readonly itemIds: readonly string[];
  readonly correct: readonly boolean[];
}

/** Sessions that were not worked through with effort; what else a session may show does not touch its answers. */
const withoutEffort = ['RBM-01', 'RBM-02', 'RBM-03', 'RBM-04'];

/** Reads in a transaction of its own, so that none is open while the cell is worked out. */
export async function readCellAnswers(db: Db, input: CellInput): Promise<CellAnswers> {
  const rows = await inReadOnlyContext(db, 'SUPER', (trx) => sittingRows(trx, input));
  const grades = [...new Set(rows.map(({ grade }) => grade))].sort((one, other) => one - other);
  const place = new Map(input.items.map(({ id }, at) => [id, at]));
  return {
    items: input.items.map(({ id, version, difficulty }) => ({ id, version, difficulty })),
    grades,
    sittings: rows.map(
      (row): GroupedSitting => ({
        group: grades.indexOf(row.grade),
        items: row.itemIds.map((id) => place.get(id) ?? 0),
        correct: row.correct,
        otherFirstLanguage: input.otherFirstLanguage.get(row.studentId) ?? null,
      }),
    ),
  };
}

/**
 * An answer counts for the version of the item that it was given to: of an older bank too, where the item has not changed
 * since. Marked answers and skipped ones do not.
 */
function sittingRows(trx: Trx, { subSkillCode, gradeBand, items, simulated }: CellInput): Promise<SittingRow[]> {
  return rowsOf(
    trx,
    `select s.student_id, s.grade, array_agg(i.item_id order by r.seq) as item_ids,
       array_agg(r.correct order by r.seq) as correct
     from diagnostic_session s
     join organization o on o.id = s.organization_id and not o.is_demo
       and (o.slug is null or o.slug <> all(:simulated::text[]))
     join diagnostic_served_item i on i.organization_id = s.organization_id and i.session_id = s.id
       and i.sub_skill_code = :subSkillCode
     join unnest(:ids::text[], :versions::int[]) as wanted (id, version)
       on wanted.id = i.item_id and wanted.version = i.item_version
     join diagnostic_response r on r.organization_id = i.organization_id and r.session_id = i.session_id and r.seq = i.seq and not r.skipped
     left join rbm_log b on b.organization_id = s.organization_id and b.source = 'diagnostic' and b.session_id = s.id
     where s.status = 'FINISHED' and s.grade_band = :gradeBand
       and not coalesce(b.flags && :withoutEffort::text[], false)
       and not coalesce(r.seq = any(b.marked_seqs), false)
     group by s.organization_id, s.id, s.student_id, s.grade
     order by s.organization_id, s.id`,
    {
      simulated,
      subSkillCode,
      gradeBand,
      withoutEffort,
      ids: items.map(({ id }) => id),
      versions: items.map(({ version }) => version),
    },
  );
}
