// Puts a published change in force as one, now or later, and takes it back as one.

import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, denied, invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  type DocumentName,
  isOvertaken,
  type LockedTimeline,
  lockActivations,
  type RollbackReason,
  type Versions,
} from '#rules/rulesets/index.ts';
import { lockedChange, requireState } from '../changes/edit.ts';
import { requireJudge } from '../changes/reviewers.ts';
import { type ChangeDocument, type ChangeRow, documentsOf, nameOfDocument } from '../changes/store.ts';
import { requireReport, staleReport } from '../review/quoted-report.ts';
import { type ActivationOrder, activateNow, type EntryId, noChange } from './activate.ts';
import { isReportStale } from './approved-report.ts';
import { aroundMoment, versionsAfter } from './engine/plans.ts';
import { requireNotNeeded } from './plan-fit.ts';
import { allPending, endSchedule, scheduleActivation } from './schedule.ts';

/** Clocks of people and of the service may differ by this much. */
const pastToleranceMs = 60_000;

/**
 * Without `from`, or with one of the last minute, the order is carried out now (undefined). An earlier one is refused: it is a slip in
 * a date, and not the wish to change rules at once. A leap second matches the pattern and is no instant.
 */
export function momentOf(from: string | undefined, { moment }: Pick<LockedTimeline, 'moment'>): Date | undefined {
  if (from === undefined) return undefined;
  const at = new Date(from);
  if (Number.isNaN(at.getTime())) throw invalid('from', 'is no instant');
  if (at.getTime() < moment.getTime() - pastToleranceMs) {
    throw invalid('from', 'lies in the past', 'The moment lies in the past. Leave `from` out to activate now.');
  }
  return at.getTime() > moment.getTime() ? at : undefined;
}

/** Carries an order out now, or plans it. */
export const carryOut = (
  services: Services,
  trx: Trx,
  order: ActivationOrder,
  at: Date | undefined,
): Promise<EntryId> => (at ? scheduleActivation(services, trx, order, at) : activateNow(services, trx, order));

export interface ChangeActivationInput {
  readonly from?: string;
  readonly reason: string;
  readonly reportHash?: string;
}

const notPublished = 'Only a published change comes into force.';

/**
 * Throws CONFLICT `state`, `superseded`, `does_not_fit`, `no_change` and `report_stale`. With a new report in the place of a stale one
 * it throws PERMISSION_DENIED for people who may not judge the change, and what `requireReport` throws.
 */
export async function activateChange(
  services: Services,
  trx: Trx,
  row: ChangeRow,
  { from, reason, reportHash }: ChangeActivationInput,
  actor: Actor,
): Promise<EntryId> {
  const change = await lockedChange(trx, row);
  const timeline = await lockActivations(trx, services.clock);
  const at = momentOf(from, timeline);
  requireState(change, ['published'], notPublished);
  const documents = await documentsOf(trx, [change.id]);
  const { current, moment } = timeline;
  requireNewest(documents, current);
  const beneath = at ? versionsAfter(current, aroundMoment(await allPending(trx), at).before) : current;
  const isStale = await isReportStale(services, trx, change, beneath);
  const quoted = isStale ? { reportHash: reportHash ?? null } : {};
  const order = {
    pins: pinsOf(documents),
    kind: 'activate',
    reason,
    userId: actor.userId,
    changeId: change.id,
  } as const;
  const entry = await carryOut(services, trx, { ...order, ...quoted }, at);
  if (isStale) await requireNewReport(services, trx, { change, beneath, reportHash }, actor, moment);
  return entry;
}

const pinsOf = (documents: readonly ChangeDocument[]): Versions =>
  Object.fromEntries(documents.map((one) => [nameOfDocument(one), one.version]));

/** An older version is put back by a bundle or a rollback, not by the change that once brought it. */
function requireNewest(documents: readonly ChangeDocument[], current: Versions): void {
  const passed = documents.find((one) => (current[nameOfDocument(one)] ?? 0) > one.version);
  if (!passed) return;
  throw conflict('superseded', 'A newer version of one of its documents is in force.', nameOfDocument(passed));
}

interface StaleActivation {
  readonly change: ChangeRow;
  readonly beneath: Versions;
  readonly reportHash: string | undefined;
}

/** The transaction is undone where it throws, so that nothing is in force. */
async function requireNewReport(
  services: Services,
  trx: Trx,
  { change, beneath, reportHash }: StaleActivation,
  { userId, permissions }: Actor,
  now: Date,
): Promise<void> {
  if (reportHash === undefined) throw staleReport();
  if (!permissions.has('APPROVE_RULES'))
    throw denied('Other rules have come into force since: an approver activates it.');
  await requireJudge(services, trx, change, userId, now);
  const active = await services.rules.pinned(trx, beneath);
  await requireReport(services, trx, change, reportHash, active, now);
}

/**
 * Puts its documents back to what was in force before it, as one; a plan is taken back. Throws CONFLICT `state`, `no_change` for a
 * change that never was in force or is rolled back already, `superseded` when a later entry moved one of its documents, and
 * `needed_by_plan` for a plan on which another one rests.
 */
export async function rollBackChange(
  services: Services,
  trx: Trx,
  row: ChangeRow,
  { reason, userId }: { readonly reason: RollbackReason; readonly userId: number },
): Promise<EntryId> {
  const change = await lockedChange(trx, row);
  const { moment, current, ahead } = await lockActivations(trx, services.clock);
  requireState(change, ['published'], notPublished);
  const plans = await allPending(trx);
  const taken = plans.filter(({ changeId }) => changeId === change.id);
  const plan = taken.at(-1);
  if (plan) {
    await requireNotNeeded(services, trx, { current, plans, taken });
    for (const { id } of taken) await endSchedule(trx, id, { outcome: 'withdrawn' }, moment);
    return { scheduleId: plan.id };
  }
  const names = (await documentsOf(trx, [change.id])).map((one) => ({ name: nameOfDocument(one), own: one.version }));
  const before = await versionsBefore(trx, change);
  // What a fast clock has dated into the future is taken back too.
  const standing = ahead?.versions ?? current;
  if (!before || names.every(({ name }) => standing[name] === before[name])) throw noChange();
  const moved = names.find(({ name, own }) => standing[name] !== own);
  if (moved) throw conflict('superseded', 'A later entry has moved one of its documents.', moved.name);
  return activateNow(services, trx, {
    pins: Object.fromEntries(names.flatMap(({ name }) => (before[name] === undefined ? [] : [[name, before[name]]]))),
    without: names.map(({ name }) => name).filter((name) => before[name] === undefined),
    kind: 'rollback',
    reason,
    userId,
    changeId: change.id,
  });
}

/** Returns what was in force before the newest activation of the change; undefined where it never was in force. */
async function versionsBefore(
  trx: Trx,
  { id }: ChangeRow,
): Promise<Readonly<Record<DocumentName, number | undefined>> | undefined> {
  const [row] = await rowsOf<{ versions: Versions }>(
    trx,
    `select before.versions from rule_activation a
     cross join lateral (select b.versions from rule_activation o join rule_bundle b on b.id = o.bundle_id
       where o.id < a.id and o.active_from <= a.active_from order by o.id desc limit 1) before
     where a.change_id = :id and a.kind <> 'rollback' and not ${isOvertaken}
     order by a.id desc limit 1`,
    { id },
  );
  return row?.versions;
}
