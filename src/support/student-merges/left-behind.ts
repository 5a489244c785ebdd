// What an account has that stays with it: tier, open alert, open plans and open packets.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { openStates, studentTiersOf } from '../interventions/index.ts';
import type { LeftBehind } from './schemas.ts';

type Left = Static<typeof LeftBehind>;

interface StudentKey {
  readonly id: number;
  readonly organizationId: string;
}

export async function leftBehindBy(
  trx: Trx,
  services: Pick<Services, 'capabilities'>,
  { organizationId, id: studentId }: StudentKey,
): Promise<Left> {
  const tierOf = await studentTiersOf(trx, services, organizationId, [studentId]);
  const [open] = await rowsOf<Omit<Left, 'tier'>>(
    trx,
    `select (select a.kind from rti_alert a
         where a.organization_id = :organizationId and a.student_id = :studentId and a.state = 'open') as open_alert_kind,
       (select count(*)::integer from bundle_assignment b where b.organization_id = :organizationId
         and b.student_id = :studentId and b.state = any(:openStates::text[])) as plans,
       (select count(*)::integer from decision_packet p where p.organization_id = :organizationId
         and p.student_id = :studentId and p.closed_at is null) as packets`,
    { organizationId, studentId, openStates: [...openStates] },
  );
  return { tier: tierOf(studentId).tier, openAlertKind: null, plans: 0, packets: 0, ...open };
}
