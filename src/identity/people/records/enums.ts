// Closed words of accounts, classes and sign-ins, as they are stored.
export const accountScopes = ['SUPER', 'ORGANIZATION'] as const;
export const userStatuses = ['active', 'inactive', 'deleted'] as const;
export type UserStatus = (typeof userStatuses)[number];
export const classRoles = ['PRIMARY', 'SECONDARY'] as const;
export const identityProviders = ['google', 'oneroster'] as const;
export const attemptKinds = ['login_email', 'login_address', 'quick_code_device', 'quick_code_address'] as const;
/** By whom a sign-in has proven an identity: `other` are all ways of the service's own. */
export const sessionOpeners = ['google', 'other'] as const;
export type SessionOpener = (typeof sessionOpeners)[number];
/** Why a session ended before its time. */
export const revokeReasons = ['logout', 'refresh_reuse', 'password_change', 'deactivated', 'erased'] as const;
