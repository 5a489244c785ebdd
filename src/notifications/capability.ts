// What notifications bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { forgetNotifications, notificationsSection } from './personal-data.ts';
import { streamRoutes } from './stream/routes.ts';

export const notificationsCapability: Capability = {
  name: 'notifications',
  routes: [...streamRoutes, ...inboxRoutes],
  personalData: [notificationsSection],
  forgets: [forgetNotifications],
};
