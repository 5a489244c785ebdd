// Accounts as responses: an allow-list per reader.
import type { Actor } from '#core/http/route.ts';
import type { User } from '../records/users.ts';
import type { OwnAccount } from './queries.ts';

export const presentUser = (user: User) => ({
  id: user.id,
  email: user.email ?? '',
  primaryPersona: user.primaryPersona,
  organizationId: user.organizationId,
});

export const presentMe = ({ user, classIds }: OwnAccount, actor: Actor) => ({
  id: user.id,
  email: user.email,
  fullNameAr: user.fullNameAr,
  primaryPersona: user.primaryPersona,
  organizationId: user.organizationId,
  permissions: [...actor.permissions],
  classIds: [...classIds],
  seats: user.seats,
});
