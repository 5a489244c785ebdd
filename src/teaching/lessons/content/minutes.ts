// Planned minutes of lessons. The taught minutes are known to live lessons only.

import { rowsOf } from '#core/platform/sql.ts';
import type { SessionMinutesReader } from '#support/fidelity/index.ts';

export const plannedMinutes: SessionMinutesReader = async (trx, organizationId, sessionIds) => {
  const rows = await rowsOf<{ id: string; plannedMinutes: number }>(
    trx,
    `select id, planned_minutes from teaching_session
     where organization_id = :organizationId and id = any(:sessionIds::text[])`,
    { organizationId, sessionIds: [...sessionIds] },
  );
  return new Map(rows.map((row) => [row.id, { plannedMinutes: row.plannedMinutes, taughtMinutes: null }]));
};
