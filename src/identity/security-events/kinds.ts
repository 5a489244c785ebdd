// What is worth a trace that names somebody.

export const securityEventKinds = [
  /** A spent refresh token was presented again: the session has ended. */
  'refresh_reuse',
  /** An e-mail address or a client address is shut out of signing in for a while. */
  'lockout',
  /** A device or a client address has guessed too many short codes. */
  'code_limit',
  /** A signed-in caller asked for something outside their permissions or reach; a sample. */
  'permission_denied',
  /** Everything that is held about a person was given out. */
  'data_export',
  'erasure',
  /** An administrator set somebody else's password. */
  'password_set',
  'second_factor',
  /** Somebody tried to approve a rule who may not. */
  'approval_refused',
] as const;

export type SecurityEventKind = (typeof securityEventKinds)[number];

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** null: nobody's organization is concerned (SUPER accounts, unknown addresses). */
  readonly organizationId: string | null;
  /** Who did it, or whose account it was tried on; null: unknown. */
  readonly userId: number | null;
  /** Keyed hash of the client's address; null: no request. */
  readonly addressHash: string | null;
  /** Ids and words of ours; never a name, an address or a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly at: Date;
}
