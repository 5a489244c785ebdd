// Counts follow what happens to plans, and once a day the calendar.
import {
  assignmentClosed,
  BundleAssignment,
  deliveryRecorded,
  interventionRules,
  openStates,
  planChanged,
} from '../interventions/index.ts';
import { type CapabilityJobs, reaction } from '../kernel/jobs.ts';
import type { Services } from '../kernel/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '../platform/db.ts';
import { activeRules } from '../rulesets/index.ts';
import { countedColumns, type PlanRow } from './counting/facts.ts';
import { outdated, recount } from './counting/recount.ts';

/** Plans looked at in one statement. */
const pieceSize = 500;
/** Plans written in one transaction: the support of their students is locked as long. */
const batchSize = 50;

/** Reactions are given no services; published versions never change, so that these are the rules of all others. */
const rulesInForce = activeRules();

export const fidelityJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'fidelity-follow-plans',
      to: [deliveryRecorded, planChanged, assignmentClosed],
      async toJobs(trx, events, now) {
        const rules = interventionRules((await rulesInForce.at(trx, now)).rules);
        for (const [organizationId, plans] of byOrganization(events)) {
          const studentIds = [...new Set(plans.map(({ studentId }) => studentId))];
          const assignmentIds = [...new Set(plans.map(({ assignmentId }) => assignmentId))];
          await recount(trx, { organizationId, assignmentIds, studentIds, now }, rules);
        }
        return [];
      },
    }),
  ],
  daily: [
    {
      // After the plans of the day, which begin and end in the hour before.
      name: 'fidelity-of-the-day',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => recountAll(services, organizationId, services.clock.now()),
    },
  ],
};

interface PlanOf {
  readonly studentId: number;
  readonly assignmentId: string;
}

function byOrganization(
  events: readonly { readonly organizationId: string; readonly payload: PlanOf }[],
): ReadonlyMap<string, PlanOf[]> {
  const found = new Map<string, PlanOf[]>();
  for (const { organizationId, payload } of events) {
    found.set(organizationId, [...(found.get(organizationId) ?? []), payload]);
  }
  return found;
}

/** One plan that fails keeps no other back, and the day is not done. */
export async function recountAll(services: Services, organizationId: string, now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (let after = ''; ; ) {
    const { rows, last } = await pieceAfter(services, organizationId, after, now);
    for (let at = 0; at < rows.length; at += batchSize) {
      failures.push(...(await recountBatch(services, rows.slice(at, at + batchSize), now)));
    }
    if (last === undefined) break;
    after = last;
  }
  if (failures.length > 0) throw failures[0];
}

/** Together, or where that fails each alone. Answers what failed. */
async function recountBatch(services: Services, rows: readonly PlanRow[], now: Date): Promise<unknown[]> {
  try {
    await recountRows(services, rows, now);
    return [];
  } catch (error) {
    if (rows.length > 1) return eachAlone(services, rows, now);
    const [assignmentId] = rows.map(({ id }) => id);
    services.log.error({ err: error, assignmentId }, 'what was delivered of a plan could not be counted');
    return [error];
  }
}

async function eachAlone(services: Services, rows: readonly PlanRow[], now: Date): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const row of rows) failures.push(...(await recountBatch(services, [row], now)));
  return failures;
}

async function recountRows(services: Services, rows: readonly PlanRow[], now: Date): Promise<void> {
  const organizationId = rows[0]?.organizationId ?? '';
  const assignmentIds = rows.map(({ id }) => id);
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  await inContext(services.db, { organizationId }, async (trx) => {
    await recount(trx, { organizationId, assignmentIds, studentIds, now }, await rulesAt(services, trx, now));
  });
}

const rulesAt = async ({ rules }: Services, trx: Trx, now: Date) => interventionRules((await rules.at(trx, now)).rules);

/** Open plans, and ended ones whose end was not counted; `last`: there may be more after it. */
async function pieceAfter(services: Services, organizationId: string, after: string, now: Date) {
  return inReadOnlyContext(services.db, { organizationId }, async (trx) => {
    const counted = trx('fidelity_current').where({ organizationId, open: true }).select('assignmentId');
    const rows = await BundleAssignment.query(trx)
      .where({ organizationId })
      .where('id', '>', after)
      .where((either) => either.whereIn('state', [...openStates]).orWhereIn('id', counted))
      .select(...countedColumns)
      .orderBy('id')
      .limit(pieceSize);
    const behind = await outdated(trx, rows, now, await rulesAt(services, trx, now));
    return { rows: behind, last: rows.length < pieceSize ? undefined : rows.at(-1)?.id };
  });
}
