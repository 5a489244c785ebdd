// Renders a stored packet: names are read with the row, pages are laid out without an open transaction.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import type { TaskOwner } from '#core/platform/process/worker-pool.ts';
import type { ShownGate } from '../../rti/index.ts';
import type { DecisionPacket } from '../rows/store.ts';
import { namesIn } from './names.ts';
import { packetStudent } from './packet-student.ts';
import { printedPacket } from './printed.ts';

/**
 * Throws CONFLICT for a draft. The same row gives the same bytes while the names of student, class and school are unchanged.
 */
export async function packetDocument(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  packet: DecisionPacket,
  gates: readonly ShownGate[],
  owner: TaskOwner,
): Promise<() => Promise<Buffer>> {
  requireAssembled(packet);
  const names = namesIn(await rules.pinned(trx, packet.ruleVersions));
  const student = await packetStudent(trx, packet.organizationId, packet.studentId);
  return () => renderPdf(printedPacket({ ...packet, gates: [...gates] }, names, student), owner);
}

export function requireAssembled({ status }: Pick<DecisionPacket, 'status'>): void {
  if (status === 'draft') throw conflict('not_assembled', 'There is nothing to print in a draft.');
}
