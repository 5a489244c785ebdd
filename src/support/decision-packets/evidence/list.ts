// Pages of a student's evidence, newest first, and the count of each type. Each source returns at most the rows of a page.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { type EvidenceContext, type EvidenceRow, itemsOf } from './rows.ts';
import { askedStudents, fromSources } from './sources.ts';
import type { EvidenceItem, EvidenceType } from './types.ts';

export interface EvidenceFilter extends PageQuery {
  readonly type?: EvidenceType;
  /** Local dates, both inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly subSkillCode?: string;
}

/** Throws VALIDATION_ERROR for a sub-skill that is not in the catalogue. */
export async function listEvidence(
  reading: EvidenceContext,
  student: StudentInScope,
  { limit = defaultLimit, cursor, ...filter }: EvidenceFilter,
): Promise<Page<EvidenceItem>> {
  const { subSkillCode } = filter;
  if (subSkillCode !== undefined && !reading.catalogue.byCode.has(subSkillCode))
    throw invalid('subSkillCode', 'is unknown');
  const before = keyInCursor(cursor, ['instant', 'string']);
  const rows = await pageOfRows(reading.trx, student, { ...filter, limit: limit + 1 }, before);
  const page = pageOf(
    rows,
    limit,
    ({ occurredAt, evidenceId }) => [occurredAt, evidenceId],
    (row) => row,
  );
  return { ...page, items: await itemsOf(reading, student.organizationId, page.items) };
}

const inOrder = 'order by occurred_at desc, evidence_id collate "C" desc limit :limit';

const wanted = (rows: string): string =>
  `select * from ${rows} s
   where (:before::timestamptz is null
       or (s.occurred_at, s.evidence_id collate "C") < (:before::timestamptz, :beforeId::text))
     and (:from::text is null or to_char(s.occurred_at at time zone s.time_zone, 'YYYY-MM-DD') >= :from::text)
     and (:to::text is null or to_char(s.occurred_at at time zone s.time_zone, 'YYYY-MM-DD') <= :to::text)
     and (:subSkillCode::text is null or s.sub_skill_code = :subSkillCode::text)
   ${inOrder}`;

const pageOfRows = (
  trx: Trx,
  student: StudentInScope,
  { type, from, to, subSkillCode, limit }: EvidenceFilter & { readonly limit: number },
  before: readonly (string | number)[] | undefined,
): Promise<EvidenceRow[]> =>
  rowsOf(
    trx,
    `with ${askedStudents}
     select key, type, evidence_id, ref_id, occurred_at, sub_skill_code, domain_code, measure, value_code,
       rule_version, void_id
     from (${fromSources(wanted, type)}) e ${inOrder}`,
    {
      ...asking(student),
      ...{ from: from ?? null, to: to ?? null, subSkillCode: subSkillCode ?? null, limit },
      ...{ before: before?.[0] ?? null, beforeId: before?.[1] ?? null },
    },
  );

const asking = ({ organizationId, id, timeZone }: StudentInScope) => ({
  ...{ organizationId, keys: [String(id)], studentIds: [id], timeZones: [timeZone], since: [null] },
});

/** Types without evidence are left out. */
export async function countEvidence(trx: Trx, student: StudentInScope): Promise<Partial<Record<EvidenceType, number>>> {
  const rows = await rowsOf<{ type: EvidenceType; found: number }>(
    trx,
    `with ${askedStudents}
     select type, sum(found)::integer as found from (${fromSources(counted)}) e group by type order by type`,
    asking(student),
  );
  return Object.fromEntries(rows.filter(({ found }) => found > 0).map(({ type, found }) => [type, found]));
}

const counted = (rows: string): string => `select s.type, count(*) as found from ${rows} s group by s.type`;
