// Scheduled activations. Everything is checked again when a schedule is due, since rules may have changed after it was requested.

import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { modelOf } from '#core/platform/model.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type LockedTimeline, lockActivations, type Versions } from '#rules/rulesets/index.ts';
import type { scheduleOutcomes } from '../enums.ts';
import { type ActivationOrder, activateNow, approversOf, type EntryId, noChange } from './activate.ts';
import { lacksApproval } from './approvals.ts';
import { lacksReport } from './approved-report.ts';
import {
  aroundMoment,
  changedPins,
  movedSince,
  type PlannedActivation,
  pinsOf,
  restsOn,
  versionsAfter,
} from './engine/plans.ts';
import { requireOtherPerson } from './other-person.ts';
import { requirePlanFit } from './plan-fit.ts';

export interface ScheduleRow extends PlannedActivation {
  readonly reason: string;
  readonly requestedBy: number;
  /** The change that it puts in force; null for a bundle of versions. */
  readonly changeId: string | null;
  /** The report that was quoted when it was planned. */
  readonly reportHash: string | null;
}

const RuleSchedule = modelOf<ScheduleRow & { readonly approvedBy: readonly number[]; readonly createdAt: string }>(
  'rule_schedule',
  { json: ['versions', 'replaces'] },
);

interface ScheduleEndRow {
  readonly scheduleId: number;
  readonly outcome: (typeof scheduleOutcomes)[number];
  readonly activationId: number | null;
  readonly issue: string | null;
  readonly at: string;
}

const RuleScheduleEnd = modelOf<ScheduleEndRow>('rule_schedule_end', { id: 'scheduleId' });

/**
 * Throws CONFLICT `no_change` when all versions will be in force already at that moment, and what `requireOtherPerson` and
 * `requirePlanFit` throw.
 */
export async function scheduleActivation(
  services: Services,
  trx: Trx,
  { pins, reason, userId, changeId, reportHash }: ActivationOrder,
  from: Date,
): Promise<EntryId> {
  const { moment, current } = await lockActivations(trx, services.clock);
  const plans = await allPending(trx);
  const beneath = versionsAfter(current, aroundMoment(plans, from).before);
  const changed = changedPins(beneath, pins);
  if (changed.length === 0) throw noChange();
  await requireOtherPerson(services, trx, { pins, changed, userId }, { moment });
  await requirePlanFit(services, trx, { current, plans }, { pins, from });
  const { id } = await RuleSchedule.query(trx)
    .insert({
      versions: pins,
      replaces: pinsOf(beneath, pins),
      activeFrom: from.toISOString(),
      reason,
      requestedBy: userId,
      approvedBy: await approversOf(trx, pins),
      changeId: changeId ?? null,
      reportHash: reportHash ?? null,
      createdAt: moment.toISOString(),
    })
    .returning('id');
  return { scheduleId: id };
}

const pending = (trx: Trx | Db) =>
  trx<ScheduleRow>('rule_schedule as s').whereNotExists(
    trx('rule_schedule_end as e').select(trx.raw('1')).whereRaw('e.schedule_id = s.id'),
  );

/** Returns the open schedules in the order in which they come into force. */
export const allPending = (trx: Trx): Promise<ScheduleRow[]> =>
  pending(trx).orderBy(['s.activeFrom', 's.id']).select('s.*');

export async function endSchedule(
  trx: Trx,
  scheduleId: number,
  end: { outcome: (typeof scheduleOutcomes)[number]; activationId?: number; issue?: string },
  now: Date,
): Promise<void> {
  await RuleScheduleEnd.query(trx).insert({ scheduleId, ...end, at: now.toISOString() });
}

/**
 * Activates due schedules, each in a transaction of its own. One that rests on a schedule whose activation failed waits for the
 * next run. Throws the first failure after all have run.
 */
export async function runDueActivations(services: Services): Promise<void> {
  const now = services.clock.now();
  const due: ScheduleRow[] = await pending(services.db)
    .where('s.activeFrom', '<=', now)
    .orderBy(['s.activeFrom', 's.id'])
    .select('s.*');
  const failed: ScheduleRow[] = [];
  await eachInTurn(
    due,
    async (row) => {
      if (!failed.some((earlier) => restsOn(row, earlier))) await runDue(services, row);
    },
    (error, row) => {
      failed.push(row);
      services.log.error({ err: error, scheduleId: row.id }, 'a planned activation fails');
    },
  );
}

async function runDue(services: Services, row: ScheduleRow): Promise<void> {
  const alone = (work: (trx: Trx, timeline: LockedTimeline) => Promise<void>) =>
    inContext(services.db, 'SUPER', async (trx) => {
      const timeline = await lockActivations(trx, services.clock);
      if (!(await hasEnded(trx, row))) await work(trx, timeline);
    });
  try {
    await alone((trx, timeline) => enterForce(services, trx, row, timeline));
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await alone((trx, { moment }) => refuse(trx, row, error.details?.[0]?.issue ?? error.code, moment));
  }
}

async function enterForce(
  services: Services,
  trx: Trx,
  row: ScheduleRow,
  { moment, current }: LockedTimeline,
): Promise<void> {
  await services.nameWriter(trx, writerOf(row), moment);
  if (await isSuperseded(trx, row, current)) return refuse(trx, row, 'superseded', moment);
  if (await lacksApproval(services, trx, row.versions)) return refuse(trx, row, 'approval_missing', moment);
  if (await lacksReport(services, trx, row, current)) return refuse(trx, row, 'report_stale', moment);
  const { versions: pins, reason, requestedBy: userId, changeId, reportHash } = row;
  const order = { pins, kind: 'scheduled', reason, userId, changeId, reportHash } as const;
  const { activationId } = await activateNow(services, trx, order);
  await endSchedule(trx, row.id, { outcome: 'activated', activationId }, moment);
}

/**
 * Whether another version of one of its documents was put in force by hand since the schedule was made. A schedule that was made
 * later for an earlier moment was fitted in before this one, and supersedes nothing.
 */
async function isSuperseded(trx: Trx, row: ScheduleRow, current: Versions): Promise<boolean> {
  const moved = movedSince(row, current);
  if (moved.length === 0) return false;
  const fitted: { name: string }[] = await rowsOf(
    trx,
    `with turn as (
       select a.id, b.versions, lag(b.versions) over (order by a.id) as before
       from rule_activation a join rule_bundle b on b.id = a.bundle_id)
     select n.name from unnest(:moved::text[]) as n (name)
     join rule_schedule_end e on e.activation_id = (select max(t.id) from turn t
       where t.versions -> n.name is distinct from t.before -> n.name)
     join rule_schedule s on s.id = e.schedule_id
     where s.id > :id and s.active_from < :from::timestamptz`,
    { moved, id: row.id, from: row.activeFrom },
  );
  return fitted.length < moved.length;
}

const writerOf = ({ id, requestedBy }: ScheduleRow) => ({
  actorUserId: requestedBy,
  operation: 'scheduledActivation',
  requestId: `schedule-${id}`,
});

const hasEnded = async (trx: Trx, { id }: ScheduleRow): Promise<boolean> =>
  (await RuleScheduleEnd.query(trx).where({ scheduleId: id }).select('scheduleId').first()) !== undefined;

export const scheduleRefused = {
  kind: 'qa',
  code: 'RULE_SCHEDULE_REFUSED',
  severity: 'high',
  subject: 'rule_schedule',
  summary: 'The moment of a planned activation has come, and it cannot come into force.',
} as const satisfies AlertKind;

/** Opens an alert for operators, because no request waits for the outcome of a schedule. */
async function refuse(trx: Trx, row: ScheduleRow, issue: string, now: Date): Promise<void> {
  await endSchedule(trx, row.id, { outcome: 'refused', issue }, now);
  await openAlert(trx, scheduleRefused, {
    organizationId: platformOrganizationId,
    subjectId: row.id,
    details: { scheduleId: row.id, issue },
    at: now,
  });
}
