// The target sub-skills of the lessons that live lessons taught.
import { rowsOf } from '#core/platform/sql.ts';
import type { SessionTargetsReader } from '#support/interventions/index.ts';

export const targetsOfLiveLessons: SessionTargetsReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; codes: readonly string[] }>(
    trx,
    `select l.id, b.target_sub_skill_codes as codes from live_session l
     join teaching_session s on s.organization_id = l.organization_id and s.id = l.session_id
     join session_blueprint b on b.id = s.blueprint_id
     where l.organization_id = :organizationId and l.id = any(:sessionIds::text[])`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(rows.map(({ id, codes }) => [id, codes]));
};
