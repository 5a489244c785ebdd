// The start page capability.
import type { Capability } from '#core/module/capability.ts';
import { purposeAr } from './page.ts';
import { homeRoutes } from './routes.ts';
import { workbenchStartRoutes } from './workbench-start.ts';

export const homeCapability: Capability = {
  name: 'home',
  routes: [...homeRoutes, ...workbenchStartRoutes],
  texts: [() => [{ id: 'home/purpose', tiers: ['parent_stricter', 'student'], template: purposeAr }]],
};
