// Whose windows a login and a quick code are counted in.
import type { Services } from '../../kernel/services.ts';
import {
  type AttemptRule,
  loginByAddress,
  loginByEmail,
  quickCodeByAddress,
  quickCodeByDevice,
  type Subject,
} from './attempts.ts';

type Hashing = Pick<Services, 'cipher'>;

export const subjectOf = ({ cipher }: Hashing, rule: AttemptRule, subject: string): Subject => ({
  rule,
  hash: cipher.keyedHash(rule.kind, subject),
});

/** `email` as stored: trimmed, lower case. */
export const loginSubjects = (services: Hashing, { email, clientIp }: { email: string; clientIp: string }) => ({
  own: subjectOf(services, loginByEmail, email),
  shared: subjectOf(services, loginByAddress, clientIp),
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `deviceId`: header X-Device-Id, a UUID that the client keeps. Without one, the whole address is one device. */
export function quickCodeSubjects(services: Hashing, clientIp: string, deviceId: string | undefined) {
  const device = deviceId !== undefined && uuid.test(deviceId) ? `${clientIp} ${deviceId.toLowerCase()}` : clientIp;
  return {
    own: subjectOf(services, quickCodeByDevice, device),
    shared: subjectOf(services, quickCodeByAddress, clientIp),
  };
}
