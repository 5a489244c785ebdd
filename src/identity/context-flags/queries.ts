// Reads of flags: a student's list, and the students whose results need a person's review.
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { ActiveRules, RuleBundle } from '#rules/rulesets/index.ts';
import { dictionaryIn } from './dictionary.ts';
import { holdsOn } from './engine/period.ts';
import { localDateIn } from './local-day.ts';
import { type PresentedFlag, presentFlag } from './present.ts';
import { type FlagRow, flagsBefore } from './store.ts';

/** Returns all flags of a student, newest first, including ended and replaced ones. */
export async function listFlags(
  { rules }: { readonly rules: ActiveRules },
  trx: Trx,
  { id: studentId, organizationId }: { readonly id: number; readonly organizationId: string },
  { limit = defaultLimit, cursor }: PageQuery,
  now: Date,
): Promise<Page<PresentedFlag>> {
  const [before] = keyInCursor(cursor, ['number']) ?? [];
  const { effectOf } = dictionaryIn((await rules.at(trx, now)).rules);
  const today = await localDateIn(trx, organizationId, now);
  const rows = await flagsBefore(trx, { organizationId, studentId }, Number(before ?? 0) || null, limit + 1);
  return pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => presentFlag(row, effectOf(row.flagCode), today),
  );
}

/** `to` is the instant (ISO 8601) for which the flags of a student are evaluated. */
interface StudentsAtMoments {
  readonly organizationId: string;
  readonly students: readonly { readonly studentId: number; readonly to: string }[];
}

type KnownFlag = Pick<FlagRow, 'studentId' | 'flagCode' | 'effectiveFrom' | 'activeTo' | 'ended'> & {
  readonly to: string;
  readonly timeZone: string;
};

/**
 * Returns the students for whom a flag with the effect `review` holds at `to`, as known at `to`: a flag that was set later
 * does not change a result about the past. Throws ENGINE_UNAVAILABLE when a flag exists and the bundle has no dictionary.
 */
export async function studentsFlaggedForReview(
  trx: Trx,
  asked: StudentsAtMoments,
  rules: RuleBundle,
): Promise<Set<number>> {
  const known = await knownFlags(trx, asked);
  if (known.length === 0) return new Set();
  const { effectOf } = dictionaryIn(rules);
  const holding = known.filter(
    (flag) => effectOf(flag.flagCode) === 'review' && holdsOn(flag, localDate(new Date(flag.to), flag.timeZone)),
  );
  return new Set(holding.map(({ studentId }) => studentId));
}

const knownFlags = (trx: Trx, { organizationId, students }: StudentsAtMoments): Promise<KnownFlag[]> =>
  rowsOf(
    trx,
    `select distinct on (w.student_id, f.flag_code) w.student_id, w.moment as "to", f.flag_code, f.effective_from,
       f.active_to, f.ended, o.time_zone
     from unnest(:studentIds::bigint[], :moments::timestamptz[]) as w (student_id, moment)
     join context_flag f on f.organization_id = :organizationId and f.student_id = w.student_id
       and f.set_at <= w.moment
     join organization o on o.id = f.organization_id
     order by w.student_id, f.flag_code, f.id desc`,
    {
      organizationId,
      studentIds: students.map(({ studentId }) => studentId),
      moments: students.map(({ to }) => to),
    },
    keptPlan,
  );
