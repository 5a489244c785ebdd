// Breadth and severity of a student's needs in the newest run of the school year: counts of roles, and the tiles.

import type { SkillStatus, TileStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { Roles } from '#rules/catalogue/index.ts';
import { isStrong, worstOf } from '../../interventions/index.ts';

export interface Needs {
  /** Roles in broad weakness. */
  readonly broadCount: number;
  /** Roles in STRONG. */
  readonly strongCount: number;
  readonly severeTile: boolean;
}

export const noNeeds: Needs = { broadCount: 0, strongCount: 0, severeTile: false };

interface NeedsRow {
  readonly studentId: number;
  /** Statuses of decided domains, by code. */
  readonly statuses: Readonly<Record<string, SkillStatus>> | null;
  readonly tiles: readonly { readonly tileCode: string; readonly status: TileStatus }[];
}

/** The overall tile is not counted. */
const overall = 'GLOBAL';

/** By student; `runIds`: the newest run of each in the school year. */
export async function needsOf(
  trx: Trx,
  organizationId: string,
  runIds: readonly string[],
  { roles }: Roles,
): Promise<ReadonlyMap<number, Needs>> {
  const rows = await needsRows(trx, organizationId, runIds);
  return new Map(
    rows.map(({ studentId, statuses, tiles }) => {
      const worst = roles.map(({ domains }) => worstOf(domains.flatMap((code) => statuses?.[code] ?? [])));
      return [
        studentId,
        {
          broadCount: worst.filter((status) => status === 'broad_weakness_related').length,
          strongCount: worst.filter((status) => status !== null && isStrong(status)).length,
          severeTile: tiles.some(({ tileCode, status }) => tileCode !== overall && status === 'Severe'),
        },
      ];
    }),
  );
}

const needsRows = (trx: Trx, organizationId: string, runIds: readonly string[]): Promise<NeedsRow[]> =>
  rowsOf(
    trx,
    `select r.student_id, r.tiles, d.statuses from sse_run r
     cross join lateral (
       select json_object_agg(d.domain_code, d.status) filter (where d.outcome = 'decided') as statuses from (
         select distinct on (d.domain_code) d.domain_code, d.outcome, d.status from sse_domain_snapshot d
         where d.organization_id = ${anyOrganization} and d.student_id = r.student_id and d.school_year = r.school_year
         order by d.domain_code, d.id desc) d) d
     where r.organization_id = ${anyOrganization} and r.id = any(:runIds::text[])`,
    { organizationId, runIds },
    keptPlan,
  );
