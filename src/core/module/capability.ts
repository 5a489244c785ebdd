// What a capability brings to the service, as one value. `src/app/capabilities.ts` lists them; router, workers, archive of
// personal data, purge, validation of rules, explanations and the documentation of events derive from that list. What only one
// capability knows how to use is added to this type by that capability, in its own `services.ts` (declaration merging).
import type { Route } from '../http/route.ts';
import type { Trx } from '../platform/db.ts';
import { lockOrder } from '../platform/locks.ts';
import type { AlertKind } from './alerts.ts';
import type { AuditedTables } from './audit-writer.ts';
import type { EventKind } from './events.ts';
import type { CapabilityJobs, JobHandler, Reaction } from './jobs.ts';

export interface Capability extends Omit<CapabilityJobs, 'handlers'> {
  /** Its folder under `src/`. */
  readonly name: string;
  /** A function where they depend on what other capabilities bring. */
  readonly routes?: readonly Route[] | ((composed: Composed) => readonly Route[]);
  /** Likewise. */
  readonly handlers?: readonly JobHandler[] | ((composed: Pick<Composed, 'capabilities'>) => readonly JobHandler[]);
  /** Those that it raises. */
  readonly events?: readonly EventKind[];
  /** Those that it opens. */
  readonly alerts?: readonly AlertKind[];
  /** Rows that stand there before anybody writes one, added at each start by the owner of the tables, after the rules. */
  readonly seeds?: readonly ((trx: Trx, now: Date) => Promise<void>)[];
  /** Its tables whose changes by a person are recorded. */
  readonly audited?: AuditedTables;
}

declare module './services.ts' {
  interface Services {
    /** All capabilities that this process is composed of. */
    readonly capabilities: readonly Capability[];
  }
}

export interface Composed {
  readonly capabilities: readonly Capability[];
  /** Of all capabilities; complete when the last one has added its own, before any request. */
  readonly routes: readonly Route[];
}

/** Every operation that is served, in the order in which addresses are matched. */
export function routesOf(capabilities: readonly Capability[]): Route[] {
  const all: Route[] = [];
  for (const { routes = [] } of capabilities) {
    all.push(...(typeof routes === 'function' ? routes({ capabilities, routes: all }) : routes));
  }
  return all;
}

/**
 * What capabilities bring of one sort, by its name. Throws RangeError for a name that two of them bear: `sort` says what they
 * are. Asked at start, by what is put together from the list.
 */
export function byName<Value>(sort: string, values: readonly Value[], nameOf: (value: Value) => string) {
  const named = new Map<string, Value>();
  for (const value of values) {
    const name = nameOf(value);
    if (named.has(name)) throw new RangeError(`two of the name ${name} among ${sort}`);
    named.set(name, value);
  }
  return named as ReadonlyMap<string, Value>;
}

/** By topic. Throws RangeError for a topic with two raisers, and for a reaction to an event that nobody raises. */
export function eventsOf(capabilities: readonly Capability[]): ReadonlyMap<string, EventKind> {
  const events = capabilities.flatMap((capability) => capability.events ?? []);
  const byTopic = byName('topics', events, ({ topic }) => topic);
  for (const { name, to } of capabilities.flatMap(({ reactions = [] }) => reactions)) {
    const unknown = to.find((kind) => byTopic.get(kind.topic) !== kind);
    if (unknown) throw new RangeError(`${name} reacts to ${unknown.topic}, which nobody raises`);
  }
  return byTopic;
}

/** Work that happens later, of all capabilities. Throws as `eventsOf`. */
export function jobsOf(capabilities: readonly Capability[]): Required<CapabilityJobs> {
  eventsOf(capabilities);
  return {
    reactions: inLockOrder(capabilities.flatMap(({ reactions = [] }) => reactions)),
    handlers: capabilities.flatMap(({ handlers = [] }) =>
      typeof handlers === 'function' ? handlers({ capabilities }) : handlers,
    ),
    schedules: capabilities.flatMap(({ schedules = [] }) => schedules),
    daily: capabilities.flatMap(({ daily = [] }) => daily),
  };
}

/** Those without a lock first, in the order of their capabilities. */
function inLockOrder(reactions: readonly Reaction[]): Reaction[] {
  const placeOf = ({ locks }: Reaction) => lockOrder.findIndex(([name]) => name === locks);
  return reactions.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The work of several parts of one capability. */
export const togetherJobs = (parts: readonly CapabilityJobs[]): Required<CapabilityJobs> => ({
  reactions: parts.flatMap(({ reactions = [] }) => reactions),
  handlers: parts.flatMap(({ handlers = [] }) => handlers),
  schedules: parts.flatMap(({ schedules = [] }) => schedules),
  daily: parts.flatMap(({ daily = [] }) => daily),
});
