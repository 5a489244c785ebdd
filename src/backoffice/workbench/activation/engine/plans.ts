// What will be in force when: planned activations come into force one after the other, each on top of those before it.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';

type Versions = RuleBundle['versions'];

export interface PlannedActivation {
  /** Grows with every plan. */
  readonly id: number;
  /** The versions that are to change, by document. */
  readonly versions: Versions;
  /** The versions that were to be in force just before the moment, when the plan was made. */
  readonly replaces: Versions;
  /** ISO 8601. */
  readonly activeFrom: string;
}

/** Plans of one moment come into force in the order in which they were made. */
export const inOrder = <One extends PlannedActivation>(plans: readonly One[]): One[] =>
  [...plans].sort((left, right) => momentOf(left) - momentOf(right) || left.id - right.id);

const momentOf = ({ activeFrom }: PlannedActivation): number => Date.parse(activeFrom);

/** Splits plans, in order, into those that are in force when a plan made now for `from` comes, and those that come after it. */
export function aroundMoment<One extends PlannedActivation>(
  plans: readonly One[],
  from: Date,
): { before: One[]; after: One[] } {
  const ordered = inOrder(plans);
  const isBefore = (plan: PlannedActivation) => momentOf(plan) <= from.getTime();
  return { before: ordered.filter(isBefore), after: ordered.filter((plan) => !isBefore(plan)) };
}

/** Returns what is in force once the plans have come. They are in order. */
export const versionsAfter = (current: Versions, plans: readonly Pick<PlannedActivation, 'versions'>[]): Versions =>
  Object.assign({}, current, ...plans.map((plan) => plan.versions));

/** Returns the documents of `pins` that are not in force in this version. */
export const changedPins = (current: Versions, pins: Versions): string[] =>
  Object.entries(pins)
    .filter(([name, version]) => versionIn(current, name) !== version)
    .map(([name]) => name);

/** Returns the versions in force of the documents that the pins name. */
export const pinsOf = (current: Versions, pins: Versions): Versions =>
  Object.fromEntries(Object.entries(current).filter(([name]) => Object.hasOwn(pins, name)));

/** Returns the documents of a plan whose version in force is not the one that it was to replace. */
export const movedSince = (
  { versions, replaces }: Pick<PlannedActivation, 'versions' | 'replaces'>,
  current: Versions,
): string[] => Object.keys(versions).filter((name) => versionIn(current, name) !== versionIn(replaces, name));

/** Whether one plan comes after another and changes a document that the other one has changed. */
export const restsOn = (later: PlannedActivation, earlier: PlannedActivation): boolean =>
  inOrder([later, earlier])[1] === later &&
  later.id !== earlier.id &&
  Object.keys(later.versions).some((name) => Object.hasOwn(earlier.versions, name));

const versionIn = (versions: Versions, name: string): number | undefined =>
  new Map<string, number>(Object.entries(versions)).get(name);
