// Corrections in written statements, for readers that count or list evidence in SQL. `loadCorrections` answers the same.
// The aliases are none that statements use, so that their expressions keep their meaning inside.
import type { EvidenceKind } from '../engine/corrections.ts';

interface InStatement {
  /** An expression of the enclosing statement, as are the others. */
  readonly organizationId: string;
  /** An instant; left out for what stands now. */
  readonly at?: string;
}

interface EvidenceInStatement extends InStatement {
  readonly kind: EvidenceKind;
  readonly refId: string;
}

/** Returns a subquery for the id of the void that stands; null without one. */
export const voidIn = ({ kind, organizationId, refId, at }: EvidenceInStatement): string =>
  `(select own_void.id from evidence_void own_void where own_void.organization_id = ${organizationId}
     and own_void.kind = '${kind}' and own_void.ref_id = ${refId} and ${standing('own_void', 'restored_at', at)})`;

/** Returns the same for a session of any kind, whose id is unique. */
export const sessionVoidIn = ({ organizationId, refId, at }: Omit<EvidenceInStatement, 'kind'>): string =>
  `(select own_void.id from evidence_void own_void where own_void.organization_id = ${organizationId}
     and own_void.kind in ('diagnostic', 'practice', 'orf') and own_void.ref_id = ${refId}
     and ${standing('own_void', 'restored_at', at)})`;

/** Returns the same for a row of `cbm_probe`: a probe of a reading is voided with it. */
export const probeVoidIn = (probe: string, at?: string): string => {
  const of = { organizationId: `${probe}.organization_id`, ...(at !== undefined && { at }) };
  return `coalesce(${voidIn({ ...of, kind: 'cbm', refId: `${probe}.id::text` })},
    ${voidIn({ ...of, kind: 'orf', refId: `${probe}.orf_assessment_id` })})`;
};

interface AccountsInStatement extends InStatement {
  readonly studentId: string;
}

/**
 * Returns a subquery for the array of the accounts whose evidence is the student's: the own one and all that were merged
 * into it.
 */
export const accountsIn = ({ organizationId, studentId, at }: AccountsInStatement): string =>
  `array(with recursive own_account (id) as (
     select ${studentId}::bigint
     union
     select own_merge.student_id from own_account join student_merge own_merge
       on own_merge.organization_id = ${organizationId} and own_merge.into_student_id = own_account.id
       and ${standing('own_merge', 'undone_at', at)})
   select id from own_account)`;

const standing = (row: string, until: string, at: string | undefined): string =>
  at === undefined
    ? `${row}.${until} is null`
    : `${row}.at <= ${at} and (${row}.${until} is null or ${row}.${until} > ${at})`;
