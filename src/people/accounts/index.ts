// What other capabilities may use of identity.

export { hashPassword, requireFitPassword } from '../credentials/passwords.ts';
export { Email, FullNameAr, NewAdminPassword, NewPassword, PersonaName } from '../credentials/schemas.ts';
export { forgetRememberedSubject } from '../google/external-identity.ts';
export { type IssuedCode, issueQuickCodes } from '../quick-codes/quick-codes.ts';
export { type Permission, type Persona, permissionsOf, personas } from '../records/permissions.ts';
export { nameForSignIn, normalEmail } from '../records/sign-in-names.ts';
export { User, type UserStatus } from '../records/users.ts';
export { forgetSecondFactor } from '../second-factor/second-factor.ts';
export { liveActor, revokeAllOf } from '../sessions/sessions.ts';
export { type AccessTokens, accessTokens } from '../sessions/tokens.ts';
export { superAdminExists } from '../sign-in/sign-in.ts';
export { givingEmail } from './email-conflicts.ts';
export { requireAnotherSuper } from './last-super.ts';
