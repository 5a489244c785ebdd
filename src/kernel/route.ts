// How capabilities declare their routes: the route factory, bound to this application's services and permissions.
import { routeFactory, type Scope } from '../http/route.ts';
import type { Permission } from '../people/records/permissions.ts';
import type { Services } from './services.ts';

export const { route, publicRoute } = routeFactory<Services, Permission>();

export type AppScope<Row> = Scope<Row, Services>;
