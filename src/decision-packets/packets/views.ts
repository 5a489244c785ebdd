// Packets as they are shown: the gates of an open one as they stand now, those of a closed one as they were.
import type { Static } from 'typebox';
import { gatesOf, rtiSituationsOf, type ShownGate } from '../../rti/index.ts';
import { collectEvidence, evidenceHash } from '../evidence/collect.ts';
import { readingAt } from '../evidence/rows.ts';
import type { DecisionPacket } from '../rows/store.ts';
import { type Asked, advisedFor, approvalStudent, approvedPacket } from './moment.ts';
import { presentPacket } from './present.ts';
import type { PacketView } from './schemas.ts';

type View = Static<typeof PacketView>;

/** In their order. A number of statements that grows with the organizations alone. */
export async function packetViews(asked: Asked, rows: readonly DecisionPacket[]): Promise<View[]> {
  const watched = rows.filter(({ closedAt, assembledAt }) => closedAt === null && assembledAt !== null);
  const gates = new Map<string, readonly ShownGate[]>();
  for (const organizationId of new Set(watched.map((row) => row.organizationId))) {
    const own = watched.filter((row) => row.organizationId === organizationId);
    for (const [id, current] of await currentGates(asked, organizationId, own)) gates.set(id, current);
  }
  return rows.map((row) => presentPacket(row, gates.get(row.id) ?? row.gates));
}

export async function packetView(asked: Asked, row: DecisionPacket): Promise<View> {
  const [view] = await packetViews(asked, [row]);
  if (!view) throw new RangeError('a packet has one view');
  return view;
}

/** GTE-05 to 09, by packet; a student who was erased meanwhile has none. */
async function currentGates(asked: Asked, organizationId: string, rows: readonly DecisionPacket[]) {
  const { services, trx, now } = asked;
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds, now });
  const hashes = await freshHashes(asked, organizationId, rows);
  return rows.flatMap((row): [string, readonly ShownGate[]][] => {
    const situation = found.situations.get(row.studentId);
    if (!situation) return [];
    const student = approvalStudent(advisedFor({ found, situation }, row.reviewType));
    return [[row.id, gatesOf(approvedPacket(row, hashes.get(row.id) ?? null), student, found.rules.packets)]];
  });
}

/** Of the evidence that there is by now since the day from which each packet was assembled. */
export async function freshHashes(
  { services, trx, now }: Asked,
  organizationId: string,
  rows: readonly DecisionPacket[],
): Promise<ReadonlyMap<string, string>> {
  const asked = rows.flatMap(({ id: key, studentId, timeZone, evidenceFrom: since }) =>
    since === null ? [] : [{ key, studentId, timeZone, since }],
  );
  const found = await collectEvidence(await readingAt(services, trx, now), organizationId, asked);
  return new Map([...found].map(([id, items]) => [id, evidenceHash(items)]));
}
