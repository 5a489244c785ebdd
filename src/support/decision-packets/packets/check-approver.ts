// Checks whether the caller may decide about the most intensive tier: they must have had the role of its specialist for the
// required time, and be independent of the opener of the packet.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import {
  approverWait,
  Enrollment,
  lastAccountChange,
  lastAttached,
  notIndependent,
  requireIndependence,
  tooNew,
  User,
} from '#identity/people/index.ts';
import type { DecisionPacket } from '../rows/store.ts';

export const specialist = 'HIGH_INTENSITY_SPECIALIST';

interface Asked {
  readonly services: Pick<Services, 'config'>;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

type Opened = Pick<DecisionPacket, 'organizationId' | 'studentId' | 'openedBy'>;

export interface ApproverCheck {
  /** Whether the role was given before the required waiting time. */
  readonly isSpecialist: boolean;
  /** Whether the caller is independent of the opener of the packet. */
  readonly isIndependent: boolean;
  /** The refusal, when there is more to report than a missing role. */
  readonly refusal: AppError | undefined;
}

/** An organization's context does not see accounts of the platform; for them the context is widened during the check. */
export async function checkApprover(asked: Asked, opened: Opened): Promise<ApproverCheck> {
  const { trx, actor } = asked;
  if (actor.organizationId !== null) return checkInContext(asked, opened);
  await enterContext(trx, 'SUPER');
  const check = await checkInContext(asked, opened);
  await enterContext(trx, { organizationId: opened.organizationId });
  return check;
}

async function checkInContext(asked: Asked, opened: Opened): Promise<ApproverCheck> {
  const { services, trx, actor, now } = asked;
  const wait = approverWait(services.config, now);
  const row: { seats: string[]; seatsSince: string | null } | undefined = await User.query(trx)
    .where({ id: actor.userId })
    .select('seats', 'seatsSince')
    .first();
  if (!row?.seats.includes(specialist)) return { isSpecialist: false, isIndependent: true, refusal: undefined };
  if (wait && row.seatsSince !== null && new Date(row.seatsSince) > wait.since) {
    return { isSpecialist: false, isIndependent: true, refusal: tooNew(wait.endOf(row.seatsSince)) };
  }
  const refusal = await dependence(asked, opened);
  return { isSpecialist: true, isIndependent: refusal === undefined, refusal };
}

/**
 * Either has managed the other's account within the waiting time, or the approver has added the opener to the student's
 * class.
 */
async function dependence(
  asked: Asked,
  { organizationId, studentId, openedBy }: Opened,
): Promise<AppError | undefined> {
  const { services, trx, actor, now } = asked;
  const wait = approverWait(services.config, now);
  if (!wait) return undefined;
  const approver = actor.userId;
  try {
    await requireIndependence(services.config, trx, { writers: [openedBy], approver, now });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const touch = { by: [approver], account: openedBy };
  const classes: { classId: number }[] = await Enrollment.query(trx)
    .where({ organizationId, studentId })
    .select('classId');
  const classIds = classes.map(({ classId }) => classId);
  const moments = [
    await lastAccountChange(trx, touch, wait.since),
    await lastAttached(trx, { ...touch, organizationId, classIds }, wait.since),
  ].filter((at) => at !== undefined);
  const last = moments.map((at) => wait.endOf(at)).sort((one, other) => other.getTime() - one.getTime())[0];
  return last && notIndependent(last);
}
