// What notifications bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { forgetNotifications, notificationsSection } from './personal-data.ts';

export const notificationsCapability: Capability = {
  name: 'notifications',
  personalData: [notificationsSection],
  forgets: [forgetNotifications],
};
