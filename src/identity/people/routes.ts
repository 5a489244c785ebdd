// All operations of tenancy.

import { parentLinkRoutes, userRoutes } from './accounts/routes.ts';
import { classPeopleRoutes, classRoutes } from './classes/routes.ts';
import { organizationRoutes, schoolRoutes } from './organizations/routes.ts';

export const tenancyRoutes = [
  ...organizationRoutes,
  ...schoolRoutes,
  ...classRoutes,
  ...classPeopleRoutes,
  ...userRoutes,
  ...parentLinkRoutes,
];
