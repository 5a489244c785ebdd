// Published blueprints. Their content never changes; a change is the next version of the code.
import type { Trx } from '#core/platform/db.ts';
import { type Bindings, rowsOf } from '#core/platform/sql.ts';
import type { BlueprintForm, BlueprintState } from '../enums.ts';
import type { Blueprint } from '../schemas.ts';

export interface StoredBlueprint {
  readonly blueprintId: string;
  readonly version: number;
  readonly state: BlueprintState;
  readonly content: Blueprint;
}

/** A published blueprint without its segments and items. */
export type BlueprintHead = Omit<Blueprint, 'segments' | 'items'> & {
  readonly form: BlueprintForm;
  readonly blueprintId: string;
  readonly version: number;
  readonly publishedAt: string;
};

export const headColumns = `id as blueprint_id, version, blueprint_code, bundle_id, step_no, session_role, grade, scaffold_tier,
  delivery_modes, anchor_skill_group, target_sub_skill_codes, duration_minutes, title_ar, form, published_at`;

type HeadRow = Omit<BlueprintHead, 'bundle_id'> & { readonly bundleId: string };
export interface BlueprintContentRow extends HeadRow {
  readonly state: BlueprintState;
  readonly segments: Blueprint['segments'];
  readonly items: Blueprint['items'];
}

export const findBlueprint = async (trx: Trx, blueprintId: string): Promise<StoredBlueprint | undefined> =>
  (await findBlueprints(trx, [blueprintId])).get(blueprintId);

/** Returns blueprints by id, in one statement. */
export async function findBlueprints(
  trx: Trx,
  blueprintIds: readonly string[],
): Promise<ReadonlyMap<string, StoredBlueprint>> {
  const rows = await rowsOf<BlueprintContentRow>(
    trx,
    `select ${headColumns}, state, segments, items from session_blueprint where id = any (:blueprintIds::text[])`,
    { blueprintIds: [...blueprintIds] },
  );
  return new Map(rows.map((row) => [row.blueprintId, storedBlueprint(row)]));
}

export interface HeadFilter {
  readonly bundleIds?: readonly string[];
  readonly grade?: number;
}

/** Returns active blueprints ordered by bundle, step and code. */
export async function activeBlueprintHeads(trx: Trx, { bundleIds, grade }: HeadFilter): Promise<BlueprintHead[]> {
  const bindings: Bindings = { bundleIds: bundleIds ?? null, grade: grade ?? null };
  const rows = await rowsOf<HeadRow>(
    trx,
    `select ${headColumns} from session_blueprint where state = 'active'
       and (:bundleIds::text[] is null or bundle_id = any (:bundleIds)) and (:grade::int is null or grade = :grade)
     order by bundle_id, step_no, blueprint_code`,
    bindings,
  );
  return rows.map(headOf);
}

function headOf(row: HeadRow): BlueprintHead {
  const { blueprintId, version, publishedAt } = row;
  return { blueprintId, version, publishedAt, ...contentHead(row) };
}

export const contentHead = (row: HeadRow) => ({
  blueprintCode: row.blueprintCode,
  bundle_id: row.bundleId,
  stepNo: row.stepNo,
  sessionRole: row.sessionRole,
  grade: row.grade,
  scaffoldTier: row.scaffoldTier,
  deliveryModes: row.deliveryModes,
  anchorSkillGroup: row.anchorSkillGroup,
  targetSubSkillCodes: row.targetSubSkillCodes,
  durationMinutes: row.durationMinutes,
  titleAr: row.titleAr,
  form: row.form,
});

function storedBlueprint(row: BlueprintContentRow): StoredBlueprint {
  const { blueprintId, version, state, segments, items } = row;
  return { blueprintId, version, state, content: { ...contentHead(row), segments, items } };
}

/** Returns whole minutes per bundle: the mean over its active blueprints at the grade, of form A alone. Bundles without any are left out. */
export async function blueprintMinutes(
  trx: Trx,
  bundleIds: readonly string[],
  grade: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ readonly bundleId: string; readonly minutes: number }>(
    trx,
    `select bundle_id, round(avg(duration_minutes))::int as minutes from session_blueprint
     where state = 'active' and form = 'A' and bundle_id = any (:bundleIds) and grade = :grade group by bundle_id`,
    { bundleIds, grade },
  );
  return new Map(rows.map(({ bundleId, minutes }) => [bundleId, minutes]));
}
