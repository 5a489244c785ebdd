// The evidence behind mastery events that is voided now.
import { loadCorrections, present } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';

/** Returns those of the session keys whose evidence is voided. A key names lessons and reviews too, which no void does. */
export async function voidedSessions(
  trx: Trx,
  { organizationId, studentId }: Pick<MasteryEventRow, 'organizationId' | 'studentId'>,
  sessionKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { voidAt } = await loadCorrections(trx, organizationId, [studentId]);
  const readings = await readingsOfProbes(trx, organizationId, sessionKeys);
  const isVoided = (key: string): boolean => {
    const [kind = '', id = ''] = key.split(':');
    if (kind === 'diagnostic' || kind === 'practice' || kind === 'orf') return voidAt(kind, id, present) !== null;
    if (kind !== 'probe') return false;
    const reading = readings.get(Number(id));
    return (voidAt('cbm', id, present) ?? (reading === undefined ? null : voidAt('orf', reading, present))) !== null;
  };
  return new Set(sessionKeys.filter(isVoided));
}

/** Returns the reading of each probe that was made of one. */
async function readingsOfProbes(
  trx: Trx,
  organizationId: string,
  sessionKeys: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const ids = sessionKeys.flatMap((key) => (key.startsWith('probe:') ? [Number(key.slice('probe:'.length))] : []));
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ id: number; orfAssessmentId: string }>(
    trx,
    `select p.id, p.orf_assessment_id from cbm_probe p
     where p.organization_id = :organizationId and p.id = any(:ids::bigint[]) and p.orf_assessment_id is not null`,
    { organizationId, ids },
  );
  return new Map(rows.map(({ id, orfAssessmentId }) => [id, orfAssessmentId]));
}
