// The public accounts of the demo, one of every role. In production they have a configured password that is not
// published.

import type { Config } from '#core/platform/config/config.ts';
import type { Persona } from '#identity/people/index.ts';
import { classes, principalKey, schoolNames, studentKey, teacherKeys } from './engine/roster.ts';

export interface DemoSpec {
  /** `demo` or `sandbox`: also the slug of the organization once its seeding is complete. */
  readonly slug: string;
  readonly name: string;
  readonly isDemo: boolean;
}

/** The read-only organization. */
export const demo: DemoSpec = { slug: 'demo', name: 'مدارس المنارة للعرض', isDemo: true };
/** The writable organization with the same structure. */
export const sandbox: DemoSpec = { slug: 'sandbox', name: 'مدارس المنارة للتجربة', isDemo: false };

/** A public password, printed at every start. */
export const demoPassword = 'demo-literacy-2026';

/** Returns the password of the demo accounts. Throws RangeError in production without a configured password. */
export const passwordOf = ({ production, demoPassword: configured }: Pick<Config, 'production' | 'demoPassword'>) => {
  if (!production) return demoPassword;
  if (configured === undefined) throw new RangeError('the demo has no password in production');
  return configured;
};

/** Returns an address on a domain reserved for documentation (RFC 2606). */
export const demoEmail = (key: string, { slug }: DemoSpec): string => `${key}.${slug}@example.org`;

export interface Login {
  readonly primaryPersona: Persona;
  readonly email: string;
  readonly password: string;
}

/** Returns the logins of all staff, a student of each class, a parent of two children and a parent of one child. */
export function loginsOf(spec: DemoSpec): Login[] {
  const login = (primaryPersona: Persona) => (key: string) => ({
    primaryPersona,
    email: demoEmail(key, spec),
    password: demoPassword,
  });
  return [
    ...['admin'].map(login('ADMIN')),
    ...['manager'].map(login('MANAGER')),
    ...schoolNames.map((_, index) => principalKey(index)).map(login('PRINCIPAL')),
    ...classes.flatMap((_, index) => teacherKeys(index)).map(login('TEACHER')),
    ...['parent1', 'parent10'].map(login('PARENT')),
    ...classes.map((_, index) => studentKey(index, 0)).map(login('STUDENT')),
  ];
}
