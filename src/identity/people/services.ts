// What people bring to the services of every handler, and the permissions that routes may ask for.
import type { Actor } from '#core/http/route.ts';
import type { GoogleClient } from './google/client.ts';
import type { AccountForgotten, StudentForgotten } from './personal-data/erasure.ts';
import type { PersonalDataSection } from './personal-data/personal-data.ts';
import type { Permission } from './records/permissions.ts';
import type { AccessTokens } from './sessions/tokens.ts';

declare module '#core/module/services.ts' {
  interface Services {
    readonly tokens: AccessTokens;
    /** undefined: sign-in with Google is not configured. */
    readonly google: GoogleClient | undefined;
    /** What every capability holds about a student. */
    readonly personalData: readonly PersonalDataSection[];
    /** The caller behind an Authorization header, for the few public addresses that look at one. */
    readonly actorOf: (authorization: string | undefined, now: Date) => Promise<Actor>;
  }
}

declare module '#core/module/route.ts' {
  interface Permissions extends Record<Permission, true> {}
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Where it keeps what it knows about a student: sections of the archive, in order. */
    readonly personalData?: readonly PersonalDataSection[];
    /** What of a student does not outlive the name; in the transaction of the erasure, after everything else. */
    readonly forgets?: readonly StudentForgotten[];
    /** The same of a person of any persona. */
    readonly forgetsAccounts?: readonly AccountForgotten[];
  }
}
