// The services that people add for every handler, the permissions of routes, and the capability fields for personal data.
import type { Actor } from '#core/http/route.ts';
import type { AccessTokens } from './auth-sessions/access-tokens.ts';
import type { GoogleClient } from './google/client.ts';
import type { AccountForgotten, StudentForgotten } from './personal-data/erasure.ts';
import type { PersonalDataSection } from './personal-data/personal-data.ts';
import type { Permission } from './records/permissions.ts';

declare module '#core/module/services.ts' {
  interface Services {
    readonly tokens: AccessTokens;
    /** Undefined when sign-in with Google is not configured. */
    readonly google: GoogleClient | undefined;
    /** The sections of personal data of all capabilities. */
    readonly personalData: readonly PersonalDataSection[];
    /** Returns the caller of an Authorization header, for public routes that accept one optionally. */
    readonly actorOf: (authorization: string | undefined, now: Date) => Promise<Actor>;
  }
}

declare module '#core/module/route.ts' {
  interface Permissions extends Record<Permission, true> {}
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** The tables with data about a student: sections of the archive, in order. */
    readonly personalData?: readonly PersonalDataSection[];
    /** Deletes data that must not remain after the erasure of a student; runs last in the transaction of the erasure. */
    readonly forgets?: readonly StudentForgotten[];
    /** Deletes data that must not remain after the erasure of an account of any persona. */
    readonly forgetsAccounts?: readonly AccountForgotten[];
  }
}
