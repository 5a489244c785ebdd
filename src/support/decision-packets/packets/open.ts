// Opens a packet (PKT-01): one open packet of a type for a student, when there is a reason for such a review.

import type { Trx } from '#core/platform/db.ts';
import { violatedConstraint } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { versionsOf } from '../../interventions/index.ts';
import { notEnrolled, openable, type ReviewType, undueState } from '../../rti/index.ts';
import { packetDocuments } from '../document/names.ts';
import { DecisionPacket, unassembled, undecided } from '../rows/store.ts';
import { advisedFor, type PacketStudentNow } from './packet-context.ts';

export interface Opening {
  readonly organizationId: string;
  readonly studentId: number;
  readonly reviewType: ReviewType;
  /** User id. */
  readonly openedBy: number;
  readonly now: Date;
}

/**
 * Returns a draft. The caller holds the lock of the student's support. Throws CONFLICT `not_enrolled`, `already_open` or
 * `not_applicable`, in this order.
 */
export async function openPacket(trx: Trx, opening: Opening, student: PacketStudentNow): Promise<DecisionPacket> {
  const { organizationId, studentId, reviewType, openedBy, now } = opening;
  const { found, situation } = student;
  if (situation.enrollment === null) throw notEnrolled();
  await requireNoneOpen(trx, opening);
  requireApplicable(student, reviewType);
  return insert(
    trx,
    Object.assign(new DecisionPacket(), {
      ...{ id: newId(), organizationId, studentId, reviewType, status: 'draft' as const, openedBy },
      ...{ openedAt: now.toISOString(), timeZone: situation.timeZone, alertId: situation.openAlert?.id ?? null },
      ...{ ...unassembled, ...undecided, evidence: [], gates: [], toTier: null, decisionId: null, movementId: null },
      ...{ ...undueState, deferredAt: null },
      ...{ overrideCode: null, rejectReasonCode: null, closedBy: null, closedAt: null },
      ruleVersions: versionsOf(found.rules, packetDocuments),
    }),
  );
}

async function requireNoneOpen(trx: Trx, { organizationId, studentId, reviewType }: Opening): Promise<void> {
  const open = await DecisionPacket.query(trx)
    .findOne({ organizationId, studentId, reviewType })
    .whereNull('closedAt')
    .select('id');
  if (open) throw alreadyOpen();
}

const alreadyOpen = () => conflict('already_open', 'A packet of this kind is open already.', 'reviewType');

function requireApplicable(student: PacketStudentNow, reviewType: ReviewType): void {
  const { found, situation } = student;
  const { reason } = advisedFor(student, reviewType).advice.sufficiency;
  const state = {
    ...{ tier: situation.tier, alert: situation.openAlert?.kind ?? null },
    ...{ contextual: reason === 'CONTEXT_ACTIVE', profile: situation.profile.profileCode },
  };
  if (openable(state, found.rules.packets).includes(reviewType)) return;
  throw conflict('not_applicable', 'There is nothing of this kind to review.', 'reviewType');
}

/** The unique index guards in addition to the lock. */
async function insert(trx: Trx, row: DecisionPacket): Promise<DecisionPacket> {
  try {
    await DecisionPacket.query(trx).insert(row);
  } catch (error) {
    if (violatedConstraint(error) === 'decision_packet_one_open') throw alreadyOpen();
    throw error;
  }
  return row;
}
