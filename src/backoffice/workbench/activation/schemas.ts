// Request and response schemas of activations.
import Type from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { Count, Cuid, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { activateReasons, activationKinds, rollbackReasons } from '#rules/rulesets/index.ts';
import { FamilyName, KeyName, Sha256, UserIds, VersionMap, VersionNumber } from '../schemas.ts';

export const ActivateBody = object({
  from: Type.Optional(InstantText),
  reason: oneOf(activateReasons),
  reportHash: Type.Optional(Sha256),
});
export const BundleBody = object({
  versions: VersionMap,
  from: Type.Optional(InstantText),
  /** Reasons of activations and of rollbacks, since several versions are rolled back here too. */
  reason: oneOf([...new Set([...activateReasons, ...rollbackReasons])]),
});
export const RollbackBody = object({ reason: oneOf(rollbackReasons) });

export const TimelineEntryView = named(
  'TimelineEntry',
  object({
    entryId: Type.String({ pattern: '^[as][1-9][0-9]*$' }),
    /** Null while it has not come into force. */
    bundleId: nullable(Cuid),
    activeFrom: Timestamp,
    state: oneOf(['active', 'past', 'scheduled', 'refused', 'withdrawn']),
    kind: oneOf(activationKinds),
    reason: Type.String(),
    issue: nullable(Type.String()),
    /** True where it overtook an activation that a fast clock had dated into the future. */
    clockCorrected: Type.Boolean(),
    activatedBy: nullable(IntegerId),
    approvedBy: UserIds,
    changes: Type.Array(object({ family: FamilyName, key: KeyName, from: nullable(VersionNumber), to: VersionNumber })),
    /** The change that it puts in force, or takes back. */
    changeId: nullable(Cuid),
    title: nullable(Type.String()),
    /** `changed`: students who got another result. */
    recompute: nullable(
      object({ organizations: Count, finished: Count, failed: Count, done: Count, total: Count, changed: Count }),
    ),
    createdAt: Timestamp,
  }),
);
