// Packets with their gates: present ones of an open packet, stored ones of a closed packet.
import type { Static } from 'typebox';
import { correctedSince } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { askedGates, compilePackets, gatesOf, rtiSituationsOf, type ShownGate } from '../../rti/index.ts';
import { collectEvidence, evidenceHash } from '../evidence/collect.ts';
import { readingAt } from '../evidence/rows.ts';
import type { DecisionPacket } from '../rows/store.ts';
import { advisedFor, approvalStudent, approvedPacket, gatesFor, type PacketCall } from './packet-context.ts';
import { presentPacket } from './present.ts';
import type { PacketView } from './schemas.ts';

type View = Static<typeof PacketView>;

export interface StoredPackets {
  readonly services: Pick<Services, 'rules'>;
  readonly trx: Trx;
}

/** In the order of the rows. The number of statements depends on the number of organizations alone. */
export async function packetViews(asked: PacketCall, rows: readonly DecisionPacket[]): Promise<View[]> {
  const watched = rows.filter(({ closedAt, assembledAt }) => closedAt === null && assembledAt !== null);
  const gates = new Map<string, readonly ShownGate[]>();
  for (const organizationId of new Set(watched.map((row) => row.organizationId))) {
    const own = watched.filter((row) => row.organizationId === organizationId);
    for (const [id, current] of await currentGates(asked, organizationId, own)) gates.set(id, current);
  }
  return Promise.all(rows.map(async (row) => presentPacket(row, gates.get(row.id) ?? (await storedGates(asked, row)))));
}

/** The gates at the time of assembly or closing, by the rules of that time. */
export async function storedGates(
  { services, trx }: StoredPackets,
  row: DecisionPacket,
): Promise<readonly ShownGate[]> {
  if (row.gates.length === 0) return [];
  const rules = compilePackets(await services.rules.pinned(trx, row.ruleVersions));
  return askedGates(gatesFor(row).decision, row.gates, rules);
}

export async function packetView(asked: PacketCall, row: DecisionPacket): Promise<View> {
  const [view] = await packetViews(asked, [row]);
  if (!view) throw new RangeError('a packet has one view');
  return view;
}

/** GTE-05 to 09, by packet; none for a student who was erased meanwhile. */
async function currentGates(asked: PacketCall, organizationId: string, rows: readonly DecisionPacket[]) {
  const { services, trx, now } = asked;
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds, now });
  const hashes = await freshHashes(asked, organizationId, rows);
  return rows.flatMap((row): [string, readonly ShownGate[]][] => {
    const situation = found.situations.get(row.studentId);
    if (!situation) return [];
    const student = approvalStudent(advisedFor({ found, situation }, row.reviewType));
    const packet = approvedPacket(row, hashes.get(row.id) ?? null);
    return [[row.id, gatesOf(gatesFor(row), packet, student, found.rules.packets)]];
  });
}

/**
 * Hashes of the present evidence from the date on from which each packet was assembled; none for a packet whose evidence
 * was corrected since, which is stale whatever it says.
 */
export async function freshHashes(
  { services, trx, now }: PacketCall,
  organizationId: string,
  rows: readonly DecisionPacket[],
): Promise<ReadonlyMap<string, string>> {
  const asked = rows.flatMap(({ id: key, studentId, timeZone, evidenceFrom: since }) =>
    since === null ? [] : [{ key, studentId, timeZone, since }],
  );
  const found = await collectEvidence(await readingAt(services, trx, now), organizationId, asked);
  const frozen = rows.flatMap(({ id: key, studentId, assembledAt: readAt }) =>
    readAt === null ? [] : [{ key, studentId, readAt }],
  );
  const corrected = await correctedSince(trx, organizationId, frozen);
  return new Map([...found].flatMap(([id, items]) => (corrected.has(id) ? [] : [[id, evidenceHash(items)]])));
}
