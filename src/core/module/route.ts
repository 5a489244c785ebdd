// The route factory, bound to this application's services and permissions.
import type { Scope } from '../http/route.ts';
import { routeFactory } from '../http/route-factory.ts';
import type { Services } from './services.ts';

/** The names that `allow` may contain. The capability that grants permissions adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Permissions {}

export const { route, publicRoute, batchedRoute } = routeFactory<Services, Extract<keyof Permissions, string>>();

export type AppScope<Row> = Scope<Row, Services>;
