// What other capabilities may use of notifications.

export { notificationsCapability } from './capability.ts';
export { notificationStreams } from './services.ts';
