// How long blueprint sessions were to take. What a session took is known where it was taught live.
import type { SessionMinutesReader } from '../../fidelity/index.ts';
import { rowsOf } from '../../platform/sql.ts';

export const plannedMinutes: SessionMinutesReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; plannedMinutes: number }>(
    trx,
    `select id, planned_minutes from teaching_session
     where organization_id = :organizationId and id = any(:sessionIds::text[])`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(rows.map((row) => [row.id, { plannedMinutes: row.plannedMinutes, taughtMinutes: null }]));
};
