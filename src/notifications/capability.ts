// What notifications bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { languageUnsafe, notificationRefused } from './dispatch/alerts.ts';
import { dispatching } from './dispatch/jobs.ts';
import { kindFindings } from './engine/check-document.ts';
import { family } from './engine/kinds.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { benchmarkProfileSwap, connectionNotices, lmsConnectionRevoked, notificationEvents } from './kinds.ts';
import { forgetNotifications, notificationsSection } from './personal-data.ts';
import { streamRoutes } from './stream/routes.ts';
import { notificationTexts } from './texts.ts';
import { tryKind } from './try.ts';

export const notificationsCapability: Capability = {
  name: 'notifications',
  routes: [...streamRoutes, ...inboxRoutes],
  events: notificationEvents,
  ...dispatching,
  reactions: [connectionNotices],
  notificationKinds: [benchmarkProfileSwap, lmsConnectionRevoked],
  alerts: [notificationRefused, languageUnsafe],
  ruleFamilies: [{ family, needsImpact: false, checkValues: kindFindings, tryValues: tryKind }],
  texts: [notificationTexts],
  personalData: [notificationsSection],
  forgets: [forgetNotifications],
};
