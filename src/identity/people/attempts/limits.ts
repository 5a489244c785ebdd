// Whose windows a login and a quick code are counted in.
import { networkOf } from '#core/http/server/client-address.ts';
import type { Services } from '#core/module/services.ts';
import {
  type AttemptRule,
  loginByAddress,
  loginByEmail,
  loginByNetwork,
  quickCodeByAddress,
  quickCodeByDevice,
  quickCodeByNetwork,
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
  shared: sharedSubjects(services, { address: loginByAddress, network: loginByNetwork }, clientIp),
});

/** The address, and the network of it where it is one of many that a subscriber holds. */
function sharedSubjects(
  services: Hashing,
  { address, network }: Readonly<Record<'address' | 'network', AttemptRule>>,
  clientIp: string,
): readonly Subject[] {
  const wider = networkOf(clientIp);
  const narrow = subjectOf(services, address, clientIp);
  return wider === undefined ? [narrow] : [narrow, subjectOf(services, network, wider)];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `deviceId`: header X-Device-Id, a UUID that the client keeps. Without one, the whole address is one device. */
export function quickCodeSubjects(services: Hashing, clientIp: string, deviceId: string | undefined) {
  const device = deviceId !== undefined && uuid.test(deviceId) ? `${clientIp} ${deviceId.toLowerCase()}` : clientIp;
  return {
    own: subjectOf(services, quickCodeByDevice, device),
    shared: sharedSubjects(services, { address: quickCodeByAddress, network: quickCodeByNetwork }, clientIp),
  };
}
