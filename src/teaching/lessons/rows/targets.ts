// The target sub-skills of lessons, by which an assignment without targets of its own is evaluated.
import { rowsOf } from '#core/platform/sql.ts';
import type { SessionTargetsReader } from '#support/interventions/index.ts';

export const targetsOfLessons: SessionTargetsReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; codes: readonly string[] }>(
    trx,
    `select s.id, b.target_sub_skill_codes as codes from teaching_session s
     join session_blueprint b on b.id = s.blueprint_id
     where s.organization_id = :organizationId and s.id = any(:sessionIds::text[])`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(rows.map(({ id, codes }) => [id, codes]));
};
