// The people of a roster, each once, with the roles that all courses give them. A person takes little memory, because all
// people are held until the last course was read.
import type { RosterRow } from '../../provider.ts';
import { type GoogleProfile, personOf } from './rows.ts';

const roles = ['student', 'teacher', 'guardian'] as const;
type Role = (typeof roles)[number];

interface Held extends GoogleProfile {
  /** Has one bit for each of `roles`. */
  roleBits: number;
  /** The children of a guardian. A single one, by far the most frequent case, is held without a list. */
  children: string | string[] | undefined;
}

const bitOf = (role: Role): number => 1 << roles.indexOf(role);

function withChild(children: Held['children'], child: string): string | string[] {
  if (children === undefined || children === child) return child;
  const all = [children].flat();
  return all.includes(child) ? all : [...all, child];
}

export class GooglePeople {
  readonly #found = new Map<string, Held>();

  /** Keeps the first profile of each person. */
  add(externalId: string, role: Role, { names, email }: GoogleProfile, child?: string): void {
    let held = this.#found.get(externalId);
    if (!held) {
      held = { names, email, roleBits: 0, children: undefined };
      this.#found.set(externalId, held);
    }
    held.roleBits |= bitOf(role);
    if (child !== undefined) held.children = withChild(held.children, child);
  }

  isStudent(externalId: string): boolean {
    return ((this.#found.get(externalId)?.roleBits ?? 0) & bitOf('student')) !== 0;
  }

  *rows(): Generator<RosterRow> {
    for (const [externalId, { roleBits, children, ...profile }] of this.#found) {
      yield personOf({
        externalId,
        profile,
        roles: roles.filter((role) => (roleBits & bitOf(role)) !== 0),
        childExternalIds: children === undefined ? [] : [children].flat(),
      });
    }
  }
}
