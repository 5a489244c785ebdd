// Stored enums of accounts, classes and sign-ins.
export const accountScopes = ['SUPER', 'ORGANIZATION'] as const;
export const userStatuses = ['active', 'inactive', 'merged', 'deleted'] as const;
export type UserStatus = (typeof userStatuses)[number];
/** Why an account of a student was merged into another one. */
export const mergeReasons = ['duplicate_account'] as const;
export const classRoles = ['PRIMARY', 'SECONDARY'] as const;
export const identityProviders = ['google', 'oneroster'] as const;
export const attemptKinds = ['login_email', 'login_address', 'quick_code_device', 'quick_code_address'] as const;
/** The method that proved the identity at a sign-in; `other` stands for the service's own methods. */
export const sessionOpeners = ['google', 'other'] as const;
export type SessionOpener = (typeof sessionOpeners)[number];
/** Why a session was revoked before its expiry. */
export const revokeReasons = ['logout', 'refresh_reuse', 'password_change', 'deactivated', 'erased'] as const;
