// Puts events to the reactions that want them, each event and reaction behind a savepoint of its own where they do not
// go through together: what fails for one takes nothing away from the others.
import { requireFit, type StoredEvent } from '#core/module/events.ts';
import type { Reaction } from '#core/module/jobs.ts';
import type { Clock } from '#core/platform/clock.ts';
import { isDatabaseDown, type Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';

/** `error` undefined: its turn has not come yet. */
export interface OpenReaction {
  readonly event: StoredEvent;
  readonly reaction: Reaction;
  readonly error: unknown;
}

export interface Reacted {
  readonly jobs: readonly Job[];
  /** What is to be tried again later. */
  readonly open: readonly OpenReaction[];
}

/** One by one takes this long at most in one transaction; what is left then has its turn later, by itself. */
const oneByOneMs = 5_000;

/** Throws only when the database cannot be reached. */
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

/** The reaction's jobs, or what it threw after everything that it wrote is undone. */
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

/** A payload of another version, or of another hand, must not be taken for what the reaction knows. */
function requireKnown(reaction: Reaction, { topic, payload }: StoredEvent): void {
  const kind = kindOf(reaction, topic);
  if (!kind) throw new Error(`${reaction.name} does not react to ${topic}`);
  requireFit(kind, payload);
}
