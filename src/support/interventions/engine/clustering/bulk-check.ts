// Checks whether a bundle may be activated for a whole group: the group that the teacher saw must equal the present one.
import { differsInModeOnly, parseClusterKey } from './key.ts';

export interface BulkBody {
  readonly clusterKey: string;
  readonly confirmedMemberStudentIds: readonly number[];
  readonly memberAdjustments?: readonly unknown[] | undefined;
  readonly generationId?: string | undefined;
}

interface Groups {
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly clusters: readonly { readonly clusterKey: string; readonly memberStudentIds: readonly number[] }[];
}

interface Computed extends Groups {
  readonly clusters: readonly (Groups['clusters'][number] & {
    readonly activatable: boolean;
    readonly notActivatableReason: string | null;
  })[];
  readonly individualReview: readonly { readonly studentId: number; readonly reasonCode: string }[];
  readonly moreDataNeeded: readonly { readonly studentId: number; readonly reasonCode: string }[];
}

export interface BulkQuestion {
  readonly body: BulkBody;
  /** The newest unexpired generation of the class. */
  readonly stored: (Groups & { readonly generationId: string }) | null;
  /** The present groups, by the rules in force. */
  readonly fresh: Computed;
  /** Student → bundle_id of each open assignment. */
  readonly openBundles: Readonly<Record<number, readonly string[]>>;
  /** The most open assignments of a student. */
  readonly capacity: number;
}

export interface Issue {
  readonly field: string;
  readonly issue: string;
}

export type BulkRefusal =
  | 'VALIDATION_ERROR'
  | 'MEMBER_ADJUSTMENTS_NOT_SUPPORTED'
  | 'EXCLUDED_MEMBER'
  | 'CLUSTER_STALE'
  | 'CONFLICT';

export type BulkAnswer =
  /** `created` is false for a member who has the bundle open already. */
  | { readonly status: 201; readonly created: Readonly<Record<number, boolean>> }
  | { readonly status: 409 | 422; readonly code: BulkRefusal; readonly issues: readonly Issue[] };

/** The checks run in their order; the first failure is returned. */
export function checkBulk(question: BulkQuestion): BulkAnswer {
  const { body, fresh } = question;
  const refuse = (status: 409 | 422, code: BulkRefusal, issues: readonly Issue[]): BulkAnswer => ({
    status,
    code,
    issues,
  });
  const wanted = parseClusterKey(body.clusterKey);
  if (!wanted) return refuse(422, 'VALIDATION_ERROR', [{ field: 'clusterKey', issue: 'invalid' }]);
  if ((body.memberAdjustments ?? []).length > 0) return refuse(422, 'MEMBER_ADJUSTMENTS_NOT_SUPPORTED', []);
  const excluded = excludedMembers(body, fresh);
  if (excluded.length > 0) return refuse(422, 'EXCLUDED_MEMBER', excluded);
  const stale = staleness(question);
  if (stale.length > 0) return refuse(409, 'CLUSTER_STALE', stale);
  const cluster = fresh.clusters.find(({ clusterKey }) => clusterKey === body.clusterKey);
  if (!cluster?.activatable) {
    return refuse(409, 'CONFLICT', [
      { field: 'clusterKey', issue: cluster?.notActivatableReason ?? 'unknown_cluster' },
    ]);
  }
  const full = membersWithoutRoom(question, wanted.bundle_id);
  if (full.length > 0) return refuse(409, 'CONFLICT', full);
  const isNew = (id: number) => !(question.openBundles[id] ?? []).includes(wanted.bundle_id);
  return {
    status: 201,
    created: Object.fromEntries(body.confirmedMemberStudentIds.map((id) => [id, isNew(id)])),
  };
}

const memberField = (at: number): string => `confirmedMemberStudentIds.${at}`;

function excludedMembers({ confirmedMemberStudentIds: ids }: BulkBody, fresh: Computed): Issue[] {
  const reasons = new Map(
    [...fresh.moreDataNeeded, ...fresh.individualReview].map(({ studentId, reasonCode }) => [studentId, reasonCode]),
  );
  return ids.flatMap((id, at) => {
    const issue = reasons.get(id);
    return issue === undefined ? [] : [{ field: memberField(at), issue }];
  });
}

/** The differences between the stored group and the present one, without names of students. */
function staleness({ body, stored, fresh }: BulkQuestion): Issue[] {
  const { clusterKey } = body;
  if (!stored) return [{ field: 'clusterKey', issue: 'no_current_generation' }];
  const [before, now] = [membersOf(stored, clusterKey), membersOf(fresh, clusterKey)];
  const issues: Issue[] = [];
  if (body.generationId !== undefined && body.generationId !== stored.generationId) {
    issues.push({ field: 'generationId', issue: 'generation_superseded' });
  }
  if (!isSameVersions(stored.ruleVersions, fresh.ruleVersions)) {
    issues.push({ field: 'clusterKey', issue: 'rule_version_changed' });
  }
  if (!before && !now) return [...issues, { field: 'clusterKey', issue: 'unknown_cluster' }];
  if (!now && fresh.clusters.some((one) => differsInModeOnly(clusterKey, one.clusterKey))) {
    issues.push({ field: 'clusterKey', issue: 'delivery_mode_changed' });
  }
  return [...issues, ...membershipIssues(new Set(body.confirmedMemberStudentIds), before ?? none, now ?? none)];
}

type Members = ReadonlySet<number>;
const none: Members = new Set();

const membersOf = ({ clusters }: Groups, key: string): Members | undefined => {
  const found = clusters.find(({ clusterKey }) => clusterKey === key);
  return found && new Set(found.memberStudentIds);
};

function membershipIssues(confirmed: Members, before: Members, now: Members): Issue[] {
  const isAdded = [...now].some((id) => !confirmed.has(id) || !before.has(id));
  const isRemoved = [...confirmed, ...before].some((id) => !now.has(id));
  const field = 'confirmedMemberStudentIds';
  return [
    ...(isAdded ? [{ field, issue: 'membership_added' }] : []),
    ...(isRemoved ? [{ field, issue: 'membership_removed' }] : []),
  ];
}

function isSameVersions(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

function membersWithoutRoom({ body, openBundles, capacity }: BulkQuestion, bundleId: string): Issue[] {
  return body.confirmedMemberStudentIds.flatMap((id, at) => {
    const open = openBundles[id] ?? [];
    return open.includes(bundleId) || open.length < capacity ? [] : [{ field: memberField(at), issue: 'capacity' }];
  });
}
