// Reads the ledgers of students as of a moment: the mastery events and the booked rows, in one statement, so that a
// concurrent booking is either complete or absent.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { MasteryFact } from '../engine/enums.ts';

export interface LedgersAt {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** ISO 8601 instant: rows recorded by then. */
  readonly asOf: string;
}

export interface RewardLedger {
  readonly studentId: number;
  /** In ledger order. */
  readonly events: readonly MasteryFact[];
  /** Codes of rescinded badges. */
  readonly rescinded: readonly string[];
  /** This and the following members summarize the booked rows. */
  readonly xpBalance: number;
  /** Badges that are held and not rescinded. */
  readonly badgeCodes: readonly string[];
  /** The highest celebrated tier; null before the first. */
  readonly celebratedTier: number | null;
  /** Number of XP rows without a mastery event of the student. */
  readonly xpWithoutEvent: number;
}

/** Returns one ledger for each requested student. */
export const ledgersAt = (trx: Trx, { organizationId, studentIds, asOf }: LedgersAt): Promise<RewardLedger[]> =>
  rowsOf(
    trx,
    `select t.student_id, x.xp_balance, x.xp_without_event,
       coalesce((select json_agg(json_build_object('id', e.id, 'sourceKind', e.source_kind, 'naturalKey', e.natural_key,
             'sessionKey', e.session_key, 'occurredAt', e.occurred_at, 'localDate', e.local_date,
             'missedSchoolDays', e.missed_school_days, 'ruleVersion', e.rule_version) order by e.id)
           from mastery_event e where e.organization_id = :organizationId and e.student_id = t.student_id
             and e.recorded_at <= :asOf), '[]') as events,
       array(select b.code from student_badge_rescind r
         join student_badge b on b.organization_id = r.organization_id and b.id = r.student_badge_id
           and b.school_year = r.school_year
         where r.organization_id = :organizationId and r.student_id = t.student_id and r.recorded_at <= :asOf
         order by r.id) as rescinded,
       array(select b.code from student_badge b where b.organization_id = :organizationId and b.student_id = t.student_id
         and b.awarded_at <= :asOf and not exists (select from student_badge_rescind r
           where r.organization_id = b.organization_id and r.student_badge_id = b.id and r.school_year = b.school_year
             and r.recorded_at <= :asOf) order by b.id) as badge_codes,
       (select max(c.value) from reward_celebration c where c.organization_id = :organizationId
         and c.student_id = t.student_id and c.kind = 'avatar_tier' and c.created_at <= :asOf) as celebrated_tier
     from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select coalesce(sum(x.amount), 0)::integer as xp_balance,
         (count(*) filter (where e.id is null))::integer as xp_without_event
       from xp_transaction x left join mastery_event e on e.organization_id = x.organization_id
         and e.id = x.mastery_event_id and e.school_year = x.school_year and e.student_id = x.student_id
       where x.organization_id = :organizationId and x.student_id = t.student_id and x.recorded_at <= :asOf) x
     order by t.student_id`,
    { organizationId, studentIds: [...studentIds], asOf },
  );
