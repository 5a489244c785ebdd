// The subjects in whose windows the attempts of a login and of a quick code are counted.
import { networkOf } from '#core/http/server/client-address.ts';
import type { Services } from '#core/module/services.ts';
import {
  type AttemptRule,
  type AttemptSubject,
  loginByAddress,
  loginByEmail,
  loginByNetwork,
  quickCodeByAddress,
  quickCodeByDevice,
  quickCodeByNetwork,
} from './attempts.ts';

type Hashing = Pick<Services, 'cipher'>;

export const subjectOf = ({ cipher }: Hashing, rule: AttemptRule, subject: string): AttemptSubject => ({
  rule,
  hash: cipher.keyedHash(rule.kind, subject),
});

/** `email` is normalized as stored: trimmed, lower case. */
export const loginSubjects = (services: Hashing, { email, clientIp }: { email: string; clientIp: string }) => ({
  own: subjectOf(services, loginByEmail, email),
  shared: sharedSubjects(services, { address: loginByAddress, network: loginByNetwork }, clientIp),
});

/** Returns the address and, when it is one of many of a subscriber, its network. */
function sharedSubjects(
  services: Hashing,
  { address, network }: Readonly<Record<'address' | 'network', AttemptRule>>,
  clientIp: string,
): readonly AttemptSubject[] {
  const wider = networkOf(clientIp);
  const narrow = subjectOf(services, address, clientIp);
  return wider === undefined ? [narrow] : [narrow, subjectOf(services, network, wider)];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `deviceId` is the header X-Device-Id, a UUID kept by the client. Without it, the client address counts as one device. */
export function quickCodeSubjects(services: Hashing, clientIp: string, deviceId: string | undefined) {
  const device = deviceId !== undefined && uuid.test(deviceId) ? `${clientIp} ${deviceId.toLowerCase()}` : clientIp;
  return {
    own: subjectOf(services, quickCodeByDevice, device),
    shared: sharedSubjects(services, { address: quickCodeByAddress, network: quickCodeByNetwork }, clientIp),
  };
}
