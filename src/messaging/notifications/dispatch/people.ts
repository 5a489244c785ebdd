// The people of a batch: its recipients, and the students whom its payloads name, each looked up by id when it is rendered.
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { Organization, ParentStudent, User } from '#identity/people/index.ts';
import type { Recipient } from '../engine/compose.ts';
import type { WaitingRequest } from '../requests/rows.ts';

interface Person {
  readonly id: number;
  readonly primaryPersona: string;
  readonly status: string;
  readonly fullNameAr: string | null;
}

export interface Recipients {
  readonly timeZone: string;
  recipient(id: number): Recipient | undefined;
  fullName(studentId: number): string | undefined;
}

const columns = ['id', 'primaryPersona', 'status', 'fullNameAr'] as const;

/** The people whom a request names. */
type Named = Pick<WaitingRequest, 'recipientUserId' | 'studentId'>;

const idsIn = (requests: readonly Named[]): number[] => [
  ...new Set(
    requests.flatMap(({ recipientUserId, studentId }) => [recipientUserId, ...(studentId === null ? [] : [studentId])]),
  ),
];

export async function loadRecipients(
  trx: Trx,
  organizationId: string,
  requests: readonly Named[],
): Promise<Recipients> {
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  const rows: Person[] = await User.query(trx).where({ organizationId }).whereIn('id', idsIn(requests)).select(columns);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    timeZone,
    recipient(id) {
      const found = byId.get(id);
      return found && { persona: found.primaryPersona, isActive: found.status === 'active' };
    },
    fullName: (id) => byId.get(id)?.fullNameAr ?? undefined,
  };
}

/** Whether a request may be delivered to its recipient now. */
export type IsDeliverable = (request: Named) => boolean;

/**
 * A recipient must be active, and a parent still linked to the child. The locks keep the people of the batch from erasure
 * until the transaction ends; those erased before are absent.
 */
export async function recipientsNow(
  trx: Trx,
  organizationId: string,
  requests: readonly Named[],
): Promise<IsDeliverable> {
  const all = User.query(trx).where({ organizationId }).whereIn('id', idsIn(requests)).orderBy('id');
  const rows: Person[] = await lockRows('account', 'exist', all).select('id', 'status', 'primaryPersona');
  const active = new Map(rows.filter(({ status }) => status === 'active').map((row) => [row.id, row]));
  const links: { parentUserId: number; studentId: number }[] = await ParentStudent.query(trx)
    .where({ organizationId })
    .whereIn(
      'parentUserId',
      [...active.values()].filter(isParent).map(({ id }) => id),
    )
    .select('parentUserId', 'studentId');
  const linked = new Set(links.map(({ parentUserId, studentId }) => `${parentUserId} ${studentId}`));
  return ({ recipientUserId, studentId }) => {
    const recipient = active.get(recipientUserId);
    if (!recipient) return false;
    return !isParent(recipient) || studentId === null || linked.has(`${recipientUserId} ${studentId}`);
  };
}

const isParent = ({ primaryPersona }: Pick<Person, 'primaryPersona'>): boolean => primaryPersona === 'PARENT';
