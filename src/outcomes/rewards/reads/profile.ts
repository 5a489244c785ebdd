// The rewards profile of a student for staff, families and the student. Sums are computed from the ledgers and stored
// nowhere.
import type { Static } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Organization, type StudentInScope } from '#identity/people/index.ts';
import type { Tier } from '#rules/language/index.ts';
import { schoolCalendar } from '#support/interventions/index.ts';
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { type BadgeRule, rewardRules } from '../engine/rules.ts';
import { streakOn } from '../engine/streak.ts';
import { masteryEventsOf, pinnedRules } from '../ledger/ledgers.ts';
import type { BadgeRow } from '../ledger/rows.ts';
import { type FilterText, textFilter } from './filtered-text.ts';
import { countIn, monthSpans } from './month.ts';
import type { RewardProfile } from './schemas.ts';

type Profile = Static<typeof RewardProfile>;

interface ProfileRequest {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Pick<Actor, 'persona'>;
  readonly now: Date;
}

const tiersOf: Readonly<Record<string, Tier>> = { STUDENT: 'student', PARENT: 'parent_stricter' };

/** Throws ENGINE_UNAVAILABLE without reward rules or language rules for the reader. */
export async function rewardProfile(
  { services, trx, actor, now }: ProfileRequest,
  { organizationId, id: studentId }: Pick<StudentInScope, 'organizationId' | 'id'>,
): Promise<Profile> {
  const of = { organizationId, studentId };
  const { rules: bundle } = await services.rules.at(trx, now);
  const [organization, events, badges, xpBalance] = await Promise.all([
    Organization.query(trx).findById(organizationId).throwIfNotFound(),
    masteryEventsOf(trx, of),
    badgesOf(trx, of),
    xpSum(trx, of),
  ]);
  const rulesOf = await pinnedRules(trx, services.rules, [...events, ...badges]);
  const { avatarTier, streak } = deriveLedger(rulesOf, events);
  const today = localDate(now, organization.timeZone);
  const calendar = schoolCalendar(organization.weekend, organization.holidays);
  const isAdult = !(actor.persona in tiersOf);
  const filtered = textFilter(bundle, tiersOf[actor.persona] ?? 'ui');
  const { now: month, before } = monthSpans(today);
  const dates = events.map((event) => event.localDate);
  return {
    ...{ studentId, xpBalance, avatarTier },
    streak: { ...streakOn(streak, calendar, today, rewardRules(bundle)) },
    badges: badges
      .filter(({ isRescinded }) => isAdult || !isRescinded)
      .map((badge) => presentBadge(badge, ruleOf(badge, rewardRules(bundle), rulesOf), filtered, isAdult)),
    sinceMonthStart: { masteryEventCount: countIn(month, dates), sameSpanBefore: countIn(before, dates) },
  };
}

interface KnownBadge extends Pick<BadgeRow, 'id' | 'code' | 'awardedAt' | 'ruleVersion'> {
  readonly isRescinded: boolean;
}

interface StudentKey {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Returns badges in ledger order. */
const badgesOf = (trx: Trx, { organizationId, studentId }: StudentKey): Promise<KnownBadge[]> =>
  rowsOf(
    trx,
    `select b.id, b.code, b.awarded_at, b.rule_version, exists (select from student_badge_rescind r
       where r.organization_id = b.organization_id and r.student_badge_id = b.id and r.school_year = b.school_year
     ) as is_rescinded
     from student_badge b where b.organization_id = :organizationId and b.student_id = :studentId order by b.id`,
    { organizationId, studentId },
  );

async function xpSum(trx: Trx, { organizationId, studentId }: StudentKey): Promise<number> {
  const [row] = await rowsOf<{ sum: number }>(
    trx,
    `select coalesce(sum(amount), 0)::integer as sum from xp_transaction
     where organization_id = :organizationId and student_id = :studentId`,
    { organizationId, studentId },
  );
  return row?.sum ?? 0;
}

/** Returns the current texts of a badge; for a badge that is no longer awarded, those of its version. */
function ruleOf(
  { code, ruleVersion }: KnownBadge,
  inForce: ReturnType<typeof rewardRules>,
  rulesOf: RulesOf,
): BadgeRule {
  const rule = inForce.badgeOf(code) ?? rulesOf(ruleVersion).badgeOf(code);
  if (!rule) throw new RangeError(`${ruleVersion} does not know the badge ${code}`);
  return rule;
}

const presentBadge = (
  { id, code, awardedAt, isRescinded }: KnownBadge,
  { nameAr, descriptionAr }: BadgeRule,
  filtered: FilterText,
  isAdult: boolean,
): Profile['badges'][number] => ({
  ...{ code, nameAr: filtered(nameAr), descriptionAr: filtered(descriptionAr), awardedAt },
  ...(isAdult && { studentBadgeId: id, status: isRescinded ? ('rescinded' as const) : ('active' as const) }),
});
