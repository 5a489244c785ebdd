// Makes the request of a route's entry, as a caller, with ids of a target.
import { allRoutes } from '#app/app.ts';
import type { Route } from '#core/http/route.ts';
import { signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Person, World } from '../../harness/world.ts';
import { entryNames, entryOf } from '../entries/index.ts';
import { type Caller, refusedByPermission } from '../operations/access.ts';
import type { Operation } from '../operations/table.ts';
import { KeptRows } from '../rows/kept-rows.ts';
import { type Aim, pathOf } from './entry.ts';
import { absentTarget, type Target, targetOf } from './targets.ts';

/** Returns the routes with an entry. Another test proves that all routes have one. */
export const requestableRoutes = (): Route[] => allRoutes().filter(({ operation }) => entryNames.includes(operation));

export interface Targets {
  readonly everyOwn: Aim['at'];
  readonly everyOther: Aim['at'];
  readonly other: Target;
  readonly absent: Target;
}

export function targetsOf(app: TestApp, world: World): Targets {
  const own = targetOf(app, world.own);
  const other = targetOf(app, world.other);
  return { everyOwn: aimAt(own), everyOther: aimAt(other), other, absent: absentTarget() };
}

export const aimAt = (target: Target): Aim['at'] => ({ tenant: target, content: target, filter: target });

export class RouteCaller {
  readonly #app: TestApp;
  readonly #world: World;
  readonly #kept = new KeptRows();

  constructor(app: TestApp, world: World) {
    this.#app = app;
    this.#world = world;
  }

  call(route: Route, caller: Caller, at: Aim['at']): Promise<Reply> {
    return this.callAs(route, this.#person(caller), at);
  }

  async callAs(route: Route, caller: Person | undefined, at: Aim['at']): Promise<Reply> {
    const entry = entryOf(route.operation);
    const request = (await entry.request?.({ at: this.#keeping(at), app: this.#app, caller })) ?? {};
    const token = caller && entry.endsSession ? await signIn(this.#app, caller) : caller?.token;
    const reply = await this.#app.request(route.method.toUpperCase(), pathOf(route, request), {
      ...(token !== undefined && { token }),
      ...(request.body !== undefined && { body: request.body }),
      ...(request.headers && { headers: request.headers }),
    });
    if (reply.status < 400 && !route.readOnly) this.#kept.forget();
    return reply;
  }

  #keeping({ tenant, content, filter }: Aim['at']): Aim['at'] {
    return { tenant: this.#kept.of(tenant), content: this.#kept.of(content), filter: this.#kept.of(filter) };
  }

  permitted(operation: Operation, caller: Caller): boolean {
    return refusedByPermission(operation, caller) === undefined;
  }

  #person(caller: Caller): Person | undefined {
    if (caller === 'nobody') return undefined;
    return caller === 'SUPER' ? this.#world.superAdmin : this.#world.own.people[caller];
  }
}
