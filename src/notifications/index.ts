// What other capabilities may use of notifications.

export { notificationsCapability } from './capability.ts';
