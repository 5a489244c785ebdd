// Asks for the confirmation of scores that no child reads, before they become a result or a baseline.

import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { voidIn } from '../evidence/corrections/in-statements.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import type { RequestServices } from '../services.ts';
import { isImplausible } from './engine/plausibility.ts';
import { activeFluency } from './rules.ts';

export interface EnteredScore {
  readonly organizationId: string;
  readonly studentId: number;
  /** Of the passage that was read. */
  readonly grade: number;
  readonly schoolYear: string;
  /** Local date of the reading, and the moment that orders readings of one date. */
  readonly date: string;
  readonly at: Date;
  /** The marked reading of which it is the score; null for one on paper. */
  readonly assessmentId: string | null;
  /** Correct words a minute. */
  readonly score: number;
}

/** Throws VALIDATION_ERROR `implausible` unless the score is plausible under the rules in force. */
export async function requirePlausible(
  services: RequestServices,
  trx: Trx,
  entered: EnteredScore,
  now: Date,
): Promise<void> {
  const { plausible } = (await activeFluency(services, trx, now)).cbm;
  const earlier = plausible === null ? null : await newestEarlierScore(trx, entered);
  if (!isImplausible(plausible, entered.score, earlier)) return;
  throw invalid(
    'confirmed',
    'implausible',
    'Hardly any child reads so fast. Check the student and the numbers; if they are right, send them with confirmed: true.',
  );
}

/** Returns the newest score before this one, marked or on paper, that is not voided; null without one. */
async function newestEarlierScore(
  trx: Trx,
  { organizationId, studentId, grade, schoolYear, date, at, assessmentId }: EnteredScore,
): Promise<number | null> {
  const corrections = await loadCorrections(trx, organizationId, [studentId]);
  const [row] = await rowsOf<{ score: number }>(
    trx,
    `select score from (
       select a.wcpm as score, a.read_on as date, a.stopped_at as at from orf_assessment a
       where a.organization_id = :organizationId and a.student_id = any(:studentIds::bigint[]) and a.status = 'SCORED'
         and a.school_year = :schoolYear and a.grade = :grade and a.id is distinct from :assessmentId
         and ${voidIn({ kind: 'orf', organizationId: 'a.organization_id', refId: 'a.id' })} is null
       union all
       select p.score, p.administered_on, p.recorded_at from cbm_probe p
       where p.organization_id = :organizationId and p.student_id = any(:studentIds::bigint[])
         and p.orf_assessment_id is null and p.school_year = :schoolYear and p.form_family = :formFamily
         and ${voidIn({ kind: 'cbm', organizationId: 'p.organization_id', refId: 'p.id::text' })} is null) score
     where (date, at) <= (:day::date, :at::timestamptz) order by date desc, at desc limit 1`,
    {
      organizationId,
      studentIds: [...corrections.accountsAt(studentId, present)],
      schoolYear,
      grade,
      formFamily: formFamilyOf(grade),
      day: date,
      assessmentId,
      at: at.toISOString(),
    },
  );
  return row?.score ?? null;
}

export const formFamilyOf = (grade: number): string => `ORF-G${grade}`;
