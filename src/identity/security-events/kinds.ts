// The kinds of security events. Events name the person concerned.

export const securityEventKinds = [
  /** A spent refresh token was presented again; the session was revoked. */
  'refresh_reuse',
  /** An e-mail address or a client address is locked out of signing in for a while. */
  'lockout',
  /** A device or a client address has guessed too many short codes. */
  'code_limit',
  /** A signed-in caller asked for something outside their permissions or reach; a sample. */
  'permission_denied',
  /** The archive of a student's personal data was exported. */
  'data_export',
  'erasure',
  /** An administrator set another person's password. */
  'password_set',
  'second_factor',
  /** A caller without the right to approve tried to approve something. */
  'approval_refused',
] as const;

export type SecurityEventKind = (typeof securityEventKinds)[number];

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** Null when no organization is concerned (SUPER accounts, unknown addresses). */
  readonly organizationId: string | null;
  /** The acting user, or the account that was attempted; null when unknown. */
  readonly userId: number | null;
  /** Keyed hash of the client's address; null when there was no request. */
  readonly addressHash: string | null;
  /** Ids and enum values; never a name, an address or a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly at: Date;
}
