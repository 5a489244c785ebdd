// Replays a stored warm-up from its pinned inputs and its events, without writing.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { stampVersion } from '../rules.ts';
import type { RequestServices } from '../services.ts';
import { endedAs, openStatus, type WarmupEventRow, warmupSummaryOf } from './engine/course.ts';
import { planWarmup } from './engine/plan.ts';
import { durationMs, type WarmupValues } from './engine/values.ts';
import { bankOf, statusAt, valuesOf } from './session.ts';
import { eventRow, loadEvents, loadItems, WarmupSession } from './store.ts';

type Value = string | number | null;

interface Mismatch {
  /** `plan.3`, `status`, `answered`, … */
  readonly field: string;
  readonly stored: Value;
  readonly derived: Value;
}

/** Throws NOT_FOUND for an unknown warm-up. */
export async function replayWarmup(services: RequestServices, trx: Trx, warmupSessionId: string, now: Date) {
  const session = await WarmupSession.query(trx).findById(warmupSessionId);
  if (!session) throw notFound();
  const values = await valuesOf(services, trx, session);
  const planned = planWarmup(session.pinned, await bankOf(services, session), values).map(({ id }) => id);
  const stored = (await loadItems(trx, session.id)).map(({ itemId }) => itemId);
  const planMismatches = comparePlans(stored, planned);
  const events = (await loadEvents(trx, session.id)).map(eventRow);
  const summaryMismatches = compareFields(storedSummary(session, now), derivedSummary(session, events, values, now));
  return {
    warmupSessionId,
    planMatch: planMismatches.length === 0,
    summaryMatch: summaryMismatches.length === 0,
    mismatches: [...planMismatches, ...summaryMismatches],
    ruleVersions: {
      'scoring/measurement': stampVersion(session.pinned.rulesVersion),
      'content/item-bank': stampVersion(session.pinned.bankVersion),
    },
    rowsWritten: 0 as const,
  };
}

function comparePlans(stored: readonly string[], derived: readonly string[]): Mismatch[] {
  const indexes = Array.from({ length: Math.max(stored.length, derived.length) }, (_, at) => at);
  return indexes
    .map((at) => ({ field: `plan.${at}`, stored: stored[at] ?? null, derived: derived[at] ?? null }))
    .filter((pair) => pair.stored !== pair.derived);
}

type Summary = Readonly<Record<'status' | 'answered' | 'runningMs' | 'lastAtMs', Value>>;

/** Returns the stored summary; its numbers are stored on completion. */
function storedSummary(session: WarmupSession, now: Date): Summary {
  const { answered, runningMs, lastAtMs } = session;
  return { status: statusAt(session, now), answered, runningMs, lastAtMs };
}

function derivedSummary(
  { startedAt, expiresAt, completedAt }: WarmupSession,
  events: readonly WarmupEventRow[],
  values: WarmupValues,
  now: Date,
): Summary {
  if (completedAt === null) {
    const status = now > new Date(expiresAt) ? 'EXPIRED' : openStatus(events);
    return { status, answered: null, runningMs: null, lastAtMs: null };
  }
  const summary = warmupSummaryOf(events, { fromMs: Date.parse(startedAt), toMs: Date.parse(completedAt) });
  return { status: endedAs(summary, durationMs(values)), ...summary };
}

function compareFields(stored: Summary, derived: Summary): Mismatch[] {
  const fields = ['status', 'answered', 'runningMs', 'lastAtMs'] as const;
  return fields
    .map((field) => ({ field, stored: stored[field], derived: derived[field] }))
    .filter((pair) => pair.stored !== pair.derived);
}
