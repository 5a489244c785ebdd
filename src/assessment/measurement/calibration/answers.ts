// Reads stored answers of one cell for calibration: of all organizations, because no single one has enough, and without
// identities. Only diagnostics count, since practice gives feedback.

import { type Db, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { GradeBand, Item } from '../../content/index.ts';
import { voidIn } from '../evidence/corrections/in-statements.ts';
import type { CellAnswers, GroupedSitting } from './engine/calibrate-cell.ts';

export interface CellInput {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly items: readonly Item[];
  /** Slugs of organizations with simulated children, in addition to those marked as demo. */
  readonly simulated: readonly string[];
  /** Whether a student's first language is another one; students without information are missing. */
  readonly otherFirstLanguage: ReadonlyMap<number, boolean>;
}

interface SittingRow {
  readonly studentId: number;
  readonly grade: number;
  readonly itemIds: readonly string[];
  readonly correct: readonly boolean[];
}

/** Behaviour flags of sessions without effort; other flags do not affect the answers. */
const withoutEffort = ['RBM-01', 'RBM-02', 'RBM-03', 'RBM-04'];

/** Reads in its own transaction, so that none is open during the computation. */
export async function readCellAnswers(db: Db, input: CellInput): Promise<CellAnswers> {
  const rows = await inReadOnlyContext(db, 'SUPER', (trx) => sittingRows(trx, input));
  const grades = [...new Set(rows.map(({ grade }) => grade))].sort((one, other) => one - other);
  const indexOf = new Map(input.items.map(({ id }, at) => [id, at]));
  return {
    items: input.items.map(({ id, version, difficulty }) => ({ id, version, difficulty })),
    grades,
    sittings: rows.map(
      (row): GroupedSitting => ({
        group: grades.indexOf(row.grade),
        items: row.itemIds.map((id) => indexOf.get(id) ?? 0),
        correct: row.correct,
        otherFirstLanguage: input.otherFirstLanguage.get(row.studentId) ?? null,
      }),
    ),
  };
}

/**
 * An answer counts for the item version to which it was given, also from an older bank when the item is unchanged.
 * Marked, skipped and voided answers do not count.
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
       and ${voidIn({ kind: 'diagnostic', organizationId: 's.organization_id', refId: 's.id' })} is null
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
