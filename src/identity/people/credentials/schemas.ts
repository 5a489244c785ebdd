// Request and response schemas of sign-in and of the caller's own account.
import Type from 'typebox';
import { IntegerId, named, nameText, nullable, object, oneOf } from '#core/http/schemas.ts';
import { personas } from '../records/permissions.ts';
import { adminPasswordLength, passwordLength } from './passwords.ts';

const emailFormat = { maxLength: 254, pattern: '^\\s*[^\\s@]+@(?:[^\\s@.]+\\.)+[^\\s@.]{2,}\\s*$' } as const;
export const Email = named('Email', Type.String(emailFormat));
/** For addresses that do not come from a request body. */
export const isEmail = (text: string): boolean =>
  text.length <= emailFormat.maxLength && new RegExp(emailFormat.pattern, 'u').test(text);
export const NewPassword = named(
  'NewPassword',
  Type.String({ minLength: passwordLength.min, maxLength: passwordLength.max }),
);
/** For requests that always create an administrator. */
export const NewAdminPassword = named(
  'NewAdminPassword',
  Type.String({
    minLength: adminPasswordLength.min,
    maxLength: adminPasswordLength.max,
  }),
);
/** A password to be verified: the rules for new passwords do not apply to it. */
export const TriedPassword = named('TriedPassword', Type.String({ minLength: 1, maxLength: 1024 }));
export const FullNameAr = nameText('FullNameAr');
export const PersonaName = named('PersonaName', oneOf(personas));

const tokenFields = {
  accessToken: Type.String(),
  refreshToken: Type.String(),
  expiresIn: Type.Integer(),
  tokenType: Type.Literal('Bearer'),
};
export const Tokens = named('Tokens', object(tokenFields));

export const RegisterBody = named(
  'RegisterBody',
  object({
    email: Email,
    password: NewAdminPassword,
    fullNameAr: FullNameAr,
    primaryPersona: Type.Literal('ADMIN'),
  }),
);

export const Registered = named(
  'Registered',
  object({
    user: object({
      id: IntegerId,
      email: Type.String(),
      primaryPersona: PersonaName,
      organizationId: nullable(Type.String()),
    }),
    tokens: Tokens,
  }),
);

/** Six digits of the second factor, or a recovery code. */
export const FactorCode = named('FactorCode', Type.String({ minLength: 1, maxLength: 32 }));

export const LoginBody = named(
  'LoginBody',
  object({
    email: Type.String({ minLength: 1, maxLength: 320 }),
    password: TriedPassword,
    totp: Type.Optional(FactorCode),
  }),
);
export const RefreshBody = named(
  'RefreshBody',
  object({ refreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
);
export const LogoutBody = named(
  'LogoutBody',
  object({
    refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    allSessions: Type.Optional(Type.Literal(true)),
  }),
);

export const Me = named(
  'Me',
  object({
    id: IntegerId,
    email: nullable(Type.String()),
    fullNameAr: nullable(Type.String()),
    primaryPersona: PersonaName,
    organizationId: nullable(Type.String()),
    permissions: Type.Array(Type.String()),
    classIds: Type.Array(IntegerId),
    seats: Type.Array(Type.String()),
  }),
);
