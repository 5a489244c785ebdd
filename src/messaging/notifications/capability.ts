// The capability value of notifications.
import type { Capability } from '#core/module/capability.ts';
import { languageUnsafe, notificationRefused } from './dispatch/alerts.ts';
import { dispatching } from './dispatch/jobs.ts';
import { kindFindings } from './engine/check-document.ts';
import { documentSchemas } from './engine/document-schemas.ts';
import { notificationFamily } from './engine/kinds.ts';
import { notificationExplainer } from './explain/explainer.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { benchmarkProfileSwap, connectionNotices, lmsConnectionRevoked, notificationEvents } from './kinds.ts';
import { forgetNotifications, notificationsSection } from './personal-data.ts';
import { notificationProbes } from './qa.ts';
import { notificationRetention } from './retention.ts';
import { notificationSimulator } from './simulate/simulator.ts';
import { streamRoutes } from './stream/routes.ts';
import { notificationTexts } from './texts.ts';
import { tryKind } from './try.ts';

export const notificationsCapability: Capability = {
  name: 'notifications',
  documentSchemas,
  probes: notificationProbes,
  routes: (composed) => [...streamRoutes, ...inboxRoutes(composed)],
  events: notificationEvents,
  ...dispatching,
  reactions: [connectionNotices],
  notificationKinds: [benchmarkProfileSwap, lmsConnectionRevoked],
  alerts: [notificationRefused, languageUnsafe],
  explainers: [notificationExplainer],
  ruleFamilies: [{ family: notificationFamily, checkValues: kindFindings, tryValues: tryKind }],
  simulators: [notificationSimulator],
  texts: [notificationTexts],
  retention: notificationRetention,
  personalData: [notificationsSection],
  forgets: [forgetNotifications],
};
