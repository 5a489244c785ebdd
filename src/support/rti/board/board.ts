// The board of a class: tier, alert and recommendation of each student, and for tiers with support the quadrant of delivery and
// response. Missing progress without delivery is a matter of the school, not of the child.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type ClassInScope, Enrollment } from '#identity/people/index.ts';
import { adviceNow } from '../recommendation/advice.ts';
import { adviceVersions } from '../recommendation/recommendation.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { type RtiSituations, rtiSituationsOf } from '../situations/situations.ts';
import { countQuadrants, quadrantOf } from './quadrants.ts';

export async function readBoard(
  services: Services,
  trx: Trx,
  { id: classId, organizationId }: ClassInScope,
  now: Date,
) {
  const studentIds = await enrolledIn(trx, organizationId, classId);
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds, now });
  const items = [...found.situations.values()].map((situation) => boardItem(found, situation));
  return {
    classId,
    items,
    squares: countQuadrants(items.flatMap(({ responseSquare }) => responseSquare ?? [])),
    asOf: now.toISOString(),
    ruleVersions: adviceVersions(found.bundle.versions),
  };
}

async function enrolledIn(trx: Trx, organizationId: string, classId: number): Promise<number[]> {
  const rows: { studentId: number }[] = await Enrollment.query(trx)
    .where({ organizationId, classId })
    .whereNull('enrolledTo')
    .orderBy('studentId')
    .select('studentId');
  return rows.map(({ studentId }) => studentId);
}

function boardItem(found: RtiSituations, situation: RtiSituation) {
  const { studentId, tier, weeksInTier, openAlert, fidelity, progress } = situation;
  const { gate } = fidelity;
  return {
    ...{ studentId, tier, weeksInTier, openAlertKind: openAlert?.kind ?? null, gate, progress },
    ruleId: adviceNow(found, situation).shown.ruleId,
    responseSquare: quadrantOf(situation),
  };
}
