// What other capabilities may use of notifications.
import './services.ts';

export { notificationsCapability } from './capability.ts';
export { benchmarkProfileSwap, connectionRevoked } from './kinds.ts';
export { type Notice, notice, notificationKind, notify } from './requests/notify.ts';
export { adminsOf, parentsOfStudents, teachersOfStudents } from './requests/recipients.ts';
export {
  activeAccounts,
  firstPresent,
  type StaffOfStudent,
  schoolsWithPrincipals,
  staffOfStudents,
} from './requests/staff.ts';
export { NotificationTrial } from './schemas.ts';
export { kindWords as notificationKinds, notificationStreams } from './services.ts';
