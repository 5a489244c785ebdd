// Collects the evidence of students from a date on, as a packet freezes it, and hashes it to detect later evidence.
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type EvidenceContext, type EvidenceRow, itemsOf } from './rows.ts';
import { askedStudents, fromSources } from './sources.ts';
import type { EvidenceItem, EvidenceType } from './types.ts';

export interface Collected {
  /** The key of the result. */
  readonly key: string;
  readonly studentId: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Local date, inclusive. */
  readonly since: string;
}

/** By key, newest first. The number of statements does not depend on the number of students. */
export async function collectEvidence(
  reading: EvidenceContext,
  organizationId: string,
  students: readonly Collected[],
): Promise<ReadonlyMap<string, EvidenceItem[]>> {
  if (students.length === 0) return new Map();
  const found = new Map<string, EvidenceItem[]>(students.map(({ key }) => [key, []]));
  const rows = await rowsSince(reading.trx, organizationId, students);
  for (const [at, item] of (await itemsOf(reading, organizationId, rows)).entries()) {
    found.get(rows[at]?.key ?? '')?.push(item);
  }
  return found;
}

const sinceTheirDay = (rows: string): string =>
  `select * from ${rows} s where s.occurred_at >= (s.since::timestamp at time zone s.time_zone)`;

const rowsSince = (trx: Trx, organizationId: string, students: readonly Collected[]): Promise<EvidenceRow[]> =>
  rowsOf(
    trx,
    `with ${askedStudents}
     select key, type, evidence_id, ref_id, occurred_at, sub_skill_code, domain_code, measure, value_code,
       rule_version, void_id
     from (${fromSources(sinceTheirDay)}) e
     order by key, occurred_at desc, evidence_id collate "C" desc`,
    {
      organizationId,
      keys: students.map(({ key }) => key),
      studentIds: students.map(({ studentId }) => studentId),
      timeZones: students.map(({ timeZone }) => timeZone),
      since: students.map(({ since }) => since),
    },
  );

/** Types that evaluations add; they do not make a packet stale. */
const madeByEvaluation: ReadonlySet<EvidenceType> = new Set(['alert', 'fidelity_snapshot']);

/** SHA-256, lower-case hex, independent of the order of the items. */
export function evidenceHash(items: readonly Pick<EvidenceItem, 'type' | 'evidenceId' | 'valueCode'>[]): string {
  const counted = items.filter(({ type }) => !madeByEvaluation.has(type));
  return canonicalHash(counted.map(({ evidenceId, valueCode }) => [evidenceId, valueCode]).sort(byId));
}

const byId = ([left = '']: readonly string[], [right = '']: readonly string[]): number => compare(left, right);
