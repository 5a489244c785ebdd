// What other capabilities may use of identity.
export { givingEmail } from './email-conflicts.ts';
export { forgetRememberedSubject } from './external-identity.ts';
export { requireAnotherSuper } from './last-super.ts';
export { hashPassword, requireFitPassword } from './passwords.ts';
export { type Permission, type Persona, permissionsOf, personas } from './permissions.ts';
export { type IssuedCode, issueQuickCodes } from './quick-codes.ts';
export { Email, FullNameAr, NewAdminPassword, NewPassword, PersonaName } from './schemas.ts';
export { forgetSecondFactor } from './second-factor.ts';
export { liveActor, revokeAllOf } from './sessions.ts';
export { emailExists, normalEmail, superAdminExists } from './sign-in.ts';
export { User, type UserStatus } from './store.ts';
export { type AccessTokens, accessTokens } from './tokens.ts';
