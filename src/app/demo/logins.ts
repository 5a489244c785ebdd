// The accounts of the demo are public: whoever starts the service may look through every pair of eyes. In production they
// have a password that is told to nobody here.

import type { Config } from '#core/platform/config/config.ts';
import type { Persona } from '#identity/people/index.ts';
import { classes, principalKey, schoolNames, studentKey, teacherKeys } from './engine/roster.ts';

export interface DemoSpec {
  /** `demo` or `sandbox`: also the organization's slug once its seeding is complete. */
  readonly slug: string;
  readonly name: string;
  readonly isDemo: boolean;
}

/** Can be looked at by everybody and changed by nobody. */
export const demo: DemoSpec = { slug: 'demo', name: 'مدارس المنارة للعرض', isDemo: true };
/** The same in shape, for trying out changes. */
export const sandbox: DemoSpec = { slug: 'sandbox', name: 'مدارس المنارة للتجربة', isDemo: false };

/** Protects nothing, and is printed at every start. */
export const demoPassword = 'demo-literacy-2026';

/** What the logins are made with. */
export const passwordOf = ({ production, demoPassword: configured }: Pick<Config, 'production' | 'demoPassword'>) => {
  if (!production) return demoPassword;
  if (configured === undefined) throw new RangeError('the demo has no password in production');
  return configured;
};

/** On a domain that is set aside for documentation (RFC 2606). */
export const emailOf = (key: string, { slug }: DemoSpec): string => `${key}.${slug}@example.org`;

export interface Login {
  readonly primaryPersona: Persona;
  readonly email: string;
  readonly password: string;
}

/** All of the staff, a student of each class, a parent of two children and one of one child. */
export function loginsOf(spec: DemoSpec): Login[] {
  const login = (primaryPersona: Persona) => (key: string) => ({
    primaryPersona,
    email: emailOf(key, spec),
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
