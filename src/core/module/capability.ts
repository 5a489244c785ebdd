// What a capability contributes to the service, as one value. `src/app/capabilities.ts` lists all of them; router, workers,
// archive of personal data, purge, validation of rules, explanations and the documentation of events are derived from that
// list. A member that only one capability interprets is added to this type by that capability, in its own `services.ts`
// (declaration merging).
import type { Route } from '../http/route.ts';
import type { Trx } from '../platform/db.ts';
import { lockOrder } from '../platform/locks.ts';
import type { AlertKind } from './alerts.ts';
import type { AuditedTables } from './audit-writer.ts';
import type { EventKind } from './events.ts';
import type { CapabilityJobs, JobHandler, Reaction } from './jobs.ts';

export interface Capability extends Omit<CapabilityJobs, 'handlers'> {
  /** A unique name for errors and tests. Its folder may have another name. */
  readonly name: string;
  /** A function if the routes depend on what other capabilities contribute. */
  readonly routes?: readonly Route[] | ((composed: ComposedCapabilities) => readonly Route[]);
  /** A function if the handlers depend on other capabilities. */
  readonly handlers?:
    | readonly JobHandler[]
    | ((composed: Pick<ComposedCapabilities, 'capabilities'>) => readonly JobHandler[]);
  /** The events that the capability raises. */
  readonly events?: readonly EventKind[];
  /** The alerts that the capability opens. */
  readonly alerts?: readonly AlertKind[];
  /** Initial rows, inserted at each start by the owner of the tables, after the rules. */
  readonly seeds?: readonly ((trx: Trx, now: Date) => Promise<void>)[];
  /** The tables whose changes by people are recorded in the audit log. */
  readonly audited?: AuditedTables;
}

declare module './services.ts' {
  interface Services {
    /** All capabilities of this process. */
    readonly capabilities: readonly Capability[];
  }
}

export interface ComposedCapabilities {
  readonly capabilities: readonly Capability[];
  /** The routes of all capabilities; complete before the first request. */
  readonly routes: readonly Route[];
}

/** Returns all routes in the order in which addresses are matched. */
export function routesOf(capabilities: readonly Capability[]): Route[] {
  const all: Route[] = [];
  for (const { routes = [] } of capabilities) {
    all.push(...(typeof routes === 'function' ? routes({ capabilities, routes: all }) : routes));
  }
  return all;
}

/**
 * Returns contributions of one kind by their names. Throws RangeError if two of them have the same name; `kind` names them in
 * the message.
 */
export function byName<Value>(kind: string, values: readonly Value[], nameOf: (value: Value) => string) {
  const named = new Map<string, Value>();
  for (const value of values) {
    const name = nameOf(value);
    if (named.has(name)) throw new RangeError(`two of the name ${name} among ${kind}`);
    named.set(name, value);
  }
  return named as ReadonlyMap<string, Value>;
}

/**
 * Returns the events by topic. Throws RangeError for a topic that two capabilities raise, and for a reaction to an event that
 * none raises.
 */
export function eventsOf(capabilities: readonly Capability[]): ReadonlyMap<string, EventKind> {
  const events = capabilities.flatMap((capability) => capability.events ?? []);
  const byTopic = byName('topics', events, ({ topic }) => topic);
  for (const { name, to } of capabilities.flatMap(({ reactions = [] }) => reactions)) {
    const unknown = to.find((kind) => byTopic.get(kind.topic) !== kind);
    if (unknown) throw new RangeError(`${name} reacts to ${unknown.topic}, which no capability raises`);
  }
  return byTopic;
}

/** Returns the background work of all capabilities. Throws RangeError as `eventsOf` does. */
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

/** Sorts reactions by their first lock, those without one first, otherwise in the order of the capabilities. */
function inLockOrder(reactions: readonly Reaction[]): Reaction[] {
  const positionOf = ({ locks }: Reaction) => lockOrder.findIndex(([name]) => name === locks);
  return reactions.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** Merges the background work of several parts of one capability. */
export const mergeJobs = (parts: readonly CapabilityJobs[]): Required<CapabilityJobs> => ({
  reactions: parts.flatMap(({ reactions = [] }) => reactions),
  handlers: parts.flatMap(({ handlers = [] }) => handlers),
  schedules: parts.flatMap(({ schedules = [] }) => schedules),
  daily: parts.flatMap(({ daily = [] }) => daily),
});
