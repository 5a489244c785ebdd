// Passes events to reactions. If a reaction fails for a batch, each event gets a savepoint of its own, so that a failure
// affects no other event.
import { requireFittingPayload, type StoredEvent } from '#core/module/events.ts';
import type { Reaction } from '#core/module/jobs.ts';
import type { Clock } from '#core/platform/clock.ts';
import { isDatabaseDown, type Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';

/** `error` is undefined if the reaction has not been tried yet. */
export interface OpenReaction {
  readonly event: StoredEvent;
  readonly reaction: Reaction;
  readonly error: unknown;
}

export interface Reacted {
  readonly jobs: readonly Job[];
  /** Reactions to be retried later. */
  readonly open: readonly OpenReaction[];
}

/** The most time for single events in one transaction; remaining ones are retried later in transactions of their own. */
const oneByOneMs = 5_000;

/** Throws only if the database is unreachable. */
export async function react(
  trx: Trx,
  reactions: readonly Reaction[],
  events: readonly StoredEvent[],
  clock: Clock,
): Promise<Reacted> {
  const jobs: Job[] = [];
  const open: OpenReaction[] = [];
  for (const reaction of reactions) {
    const own = events.filter(({ topic }) => kindOf(reaction, topic));
    if (own.length === 0) continue;
    const together = await attempt(trx, reaction, own, clock);
    const reacted = 'jobs' in together ? { ...together, open: [] } : await oneByOne(trx, reaction, own, clock);
    jobs.push(...reacted.jobs);
    open.push(...reacted.open);
  }
  return { jobs, open };
}

async function oneByOne(
  trx: Trx,
  reaction: Reaction,
  events: readonly StoredEvent[],
  clock: Clock,
): Promise<{ jobs: Job[]; open: OpenReaction[] }> {
  const jobs: Job[] = [];
  const open: OpenReaction[] = [];
  const deadline = performance.now() + oneByOneMs;
  for (const event of events) {
    const one = performance.now() < deadline ? await attempt(trx, reaction, [event], clock) : { error: undefined };
    if ('jobs' in one) jobs.push(...one.jobs);
    else open.push({ event, reaction, error: one.error });
  }
  return { jobs, open };
}

/** Returns the reaction's jobs, or its error after its writes were rolled back. */
export async function attempt(
  trx: Trx,
  reaction: Reaction,
  events: readonly StoredEvent[],
  clock: Clock,
): Promise<{ readonly jobs: readonly Job[] } | { readonly error: unknown }> {
  try {
    for (const event of events) requireKnown(reaction, event);
    return { jobs: await trx.transaction((savepoint) => reaction.toJobs(savepoint, events, clock.now(), clock)) };
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    return { error };
  }
}

const kindOf = ({ to }: Reaction, topic: string) => to.find((kind) => kind.topic === topic);

/** A payload of another version or writer must not be mistaken for one that the reaction knows. */
function requireKnown(reaction: Reaction, { topic, payload }: StoredEvent): void {
  const kind = kindOf(reaction, topic);
  if (!kind) throw new Error(`${reaction.name} does not react to ${topic}`);
  requireFittingPayload(kind, payload);
}
