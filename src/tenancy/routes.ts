// All operations of tenancy.
import { classPeopleRoutes, classRoutes } from './class-routes.ts';
import { organizationRoutes, schoolRoutes } from './organization-routes.ts';
import { parentLinkRoutes, userRoutes } from './user-routes.ts';

export const tenancyRoutes = [
  ...organizationRoutes,
  ...schoolRoutes,
  ...classRoutes,
  ...classPeopleRoutes,
  ...userRoutes,
  ...parentLinkRoutes,
];
