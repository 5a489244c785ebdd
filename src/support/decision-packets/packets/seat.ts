// Who may decide about the most intensive tier: somebody with the seat of its specialist, held for long enough, who is
// independent of whoever opened the packet.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import {
  approverWait,
  lastAccountChange,
  lastAttached,
  notIndependent,
  requireIndependence,
  tooNew,
} from '#identity/people/index.ts';
import type { DecisionPacket } from '../rows/store.ts';

const specialist = 'HIGH_INTENSITY_SPECIALIST';

interface Asked {
  readonly services: Pick<Services, 'config'>;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

type Opened = Pick<DecisionPacket, 'organizationId' | 'studentId' | 'openedBy'>;

export interface Standing {
  /** Held, and not younger than the wait. */
  readonly seat: boolean;
  /** Of whoever opened the packet. */
  readonly independent: boolean;
  /** Why not, where there is more to say than that the role does not allow it. */
  readonly refusal: AppError | undefined;
}

/** Accounts of the platform are in no organization's sight: for them the context is widened for the question. */
export async function standingOf(asked: Asked, opened: Opened): Promise<Standing> {
  const { trx, actor } = asked;
  if (actor.organizationId !== null) return standingIn(asked, opened);
  await enterContext(trx, 'SUPER');
  const standing = await standingIn(asked, opened);
  await enterContext(trx, { organizationId: opened.organizationId });
  return standing;
}

async function standingIn(asked: Asked, opened: Opened): Promise<Standing> {
  const { services, trx, actor, now } = asked;
  const wait = approverWait(services.config, now);
  const row: { seats: string[]; seatsSince: string | null } | undefined = await trx('app_user')
    .where({ id: actor.userId })
    .first('seats', 'seatsSince');
  if (!row?.seats.includes(specialist)) return { seat: false, independent: true, refusal: undefined };
  if (wait && row.seatsSince !== null && new Date(row.seatsSince) > wait.since) {
    return { seat: false, independent: true, refusal: tooNew(wait.endOf(row.seatsSince)) };
  }
  const refusal = await dependence(asked, opened);
  return { seat: true, independent: refusal === undefined, refusal };
}

/** Either has held the other's account within the wait, or the approver has put the opener before the student. */
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
  const classes: { classId: number }[] = await trx('enrollment').where({ organizationId, studentId }).select('classId');
  const classIds = classes.map(({ classId }) => classId);
  const moments = [
    await lastAccountChange(trx, touch, wait.since),
    await lastAttached(trx, { ...touch, organizationId, classIds }, wait.since),
  ].filter((at) => at !== undefined);
  const last = moments.map((at) => wait.endOf(at)).sort((one, other) => other.getTime() - one.getTime())[0];
  return last && notIndependent(last);
}
