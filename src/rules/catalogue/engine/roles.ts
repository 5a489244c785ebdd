// Domain roles and skill groups: rules of profiles and bundles speak of roles, `profile/settings` binds them to domains.
import type { RuleBundle } from '../../rulesets/engine/index.ts';
import type { Catalogue, SubSkill } from './catalogue.ts';

type Groups = Readonly<Record<string, readonly string[]>>;

interface RoleEntry {
  readonly role: string;
  readonly domains: readonly string[];
  readonly requiredGrades: readonly number[];
  readonly groups: Groups;
}

interface ProfileSettingsDocument {
  readonly roles: readonly RoleEntry[];
  readonly withoutRole: Groups;
}

export interface Role {
  readonly code: string;
  /** In the order of the settings. */
  readonly domains: readonly string[];
  readonly requiredGrades: ReadonlySet<number>;
  /** The sub-skills of all its domains, in catalogue order. */
  readonly subSkills: readonly SubSkill[];
}

export interface Roles {
  /** In the order in which rules ask for the first of several. */
  readonly roles: readonly Role[];
  readonly byCode: ReadonlyMap<string, Role>;
  /** Sub-skill → its skill group. */
  readonly groupOf: ReadonlyMap<string, string>;
}

/**
 * Throws BundleError when the document is missing; throws RangeError when it names an entry that the catalogue does not
 * contain, or when a sub-skill is in no group or in two.
 */
export function compileRoles(bundle: RuleBundle, catalogue: Catalogue): Roles {
  const { roles: entries, withoutRole } = bundle.values<ProfileSettingsDocument>('profile/settings');
  const roles = entries.map((entry) => roleOf(entry, catalogue));
  refuseTwice(
    entries.flatMap(({ domains }) => domains),
    'domain',
  );
  refuseTwice(
    entries.map(({ role }) => role),
    'role',
  );
  for (const { role, domains, groups } of entries) refuseForeign(role, domains, groups, catalogue);
  return {
    roles,
    byCode: new Map(roles.map((role) => [role.code, role])),
    groupOf: groupsOf([...entries.map(({ groups }) => groups), withoutRole], catalogue),
  };
}

function roleOf({ role, domains, requiredGrades }: RoleEntry, catalogue: Catalogue): Role {
  const known = domains.filter((code) => catalogue.domains.some((domain) => domain.code === code));
  if (known.length < domains.length) throw new RangeError(`profile/settings: role ${role} has an unknown domain`);
  return {
    code: role,
    domains,
    requiredGrades: new Set(requiredGrades),
    subSkills: catalogue.subSkills.filter(({ domain }) => domains.includes(domain)),
  };
}

function refuseForeign(role: string, domains: readonly string[], groups: Groups, { byCode }: Catalogue): void {
  const foreign = Object.values(groups)
    .flat()
    .find((code) => !domains.includes(byCode.get(code)?.domain ?? ''));
  if (foreign !== undefined) throw new RangeError(`profile/settings: ${foreign} is no sub-skill of role ${role}`);
}

function groupsOf(all: readonly Groups[], { subSkills, byCode }: Catalogue): ReadonlyMap<string, string> {
  const entries = all.flatMap((groups) =>
    Object.entries(groups).flatMap(([group, codes]) => codes.map((code) => [code, group] as const)),
  );
  refuseTwice(
    entries.map(([code]) => code),
    'sub-skill',
  );
  refuseTwice(
    all.flatMap((groups) => Object.keys(groups)),
    'group',
  );
  const groupOf = new Map(entries);
  const alone = subSkills.find(({ code }) => !groupOf.has(code));
  if (alone) throw new RangeError(`profile/settings: ${alone.code} is in no skill group`);
  const unknown = entries.find(([code]) => !byCode.has(code));
  if (unknown) throw new RangeError(`profile/settings: the catalogue has no ${unknown[0]}`);
  return groupOf;
}

function refuseTwice(words: readonly string[], what: string): void {
  const twice = words.find((word, at) => words.indexOf(word) < at);
  if (twice !== undefined) throw new RangeError(`profile/settings: ${what} ${twice} is named twice`);
}
