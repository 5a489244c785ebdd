// The people of a batch: its recipients, and the students whom its payloads name, each looked up by id when it is rendered.
import type { Trx } from '../../platform/db.ts';
import { lockRows } from '../../platform/locks.ts';
import type { Recipient } from '../engine/compose.ts';
import type { WaitingRequest } from '../requests/rows.ts';

interface Person {
  readonly id: number;
  readonly primaryPersona: string;
  readonly status: string;
  readonly fullNameAr: string | null;
}

export interface People {
  readonly timeZone: string;
  recipient(id: number): Recipient | undefined;
  fullName(studentId: number): string | undefined;
}

const columns = ['id', 'primaryPersona', 'status', 'fullNameAr'] as const;

/** Whom a request names. */
type Named = Pick<WaitingRequest, 'recipientUserId' | 'studentId'>;

const idsIn = (requests: readonly Named[]): number[] => [
  ...new Set(
    requests.flatMap(({ recipientUserId, studentId }) => [recipientUserId, ...(studentId === null ? [] : [studentId])]),
  ),
];

export async function peopleOf(trx: Trx, organizationId: string, requests: readonly Named[]): Promise<People> {
  const { timeZone } = await trx('organization').where({ id: organizationId }).first('timeZone');
  const rows: Person[] = await trx('app_user').where({ organizationId }).whereIn('id', idsIn(requests)).select(columns);
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

/** Those who can be told now. Nobody of the batch is erased while the transaction lasts; who was before is found gone. */
export async function lockedRecipients(
  trx: Trx,
  organizationId: string,
  requests: readonly Named[],
): Promise<ReadonlySet<number>> {
  const all = trx('app_user').where({ organizationId }).whereIn('id', idsIn(requests)).orderBy('id');
  const rows: Person[] = await lockRows('account', 'exist', all).select('id', 'status');
  return new Set(rows.filter(({ status }) => status === 'active').map(({ id }) => id));
}
