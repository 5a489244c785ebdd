// Schemas of replays.
import Type from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { Count, Cuid, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { jobStates } from '#core/long-jobs/index.ts';
import { differingVerdicts } from '../enums.ts';
import { SimulationScope } from '../impact/schemas.ts';
import { Sha256 } from '../schemas.ts';
import { replayTriggers } from './input.ts';

/** Runs as of `from` or later, and before `to`. */
export const ReplayBody = object({ scope: SimulationScope, from: InstantText, to: InstantText });
export const ReplayStarted = named('ReplayStarted', object({ replayId: Cuid }));
export const ReplayQuery = object(pageQuery);
export const ReplaysQuery = object({
  ...pageQuery,
  trigger: Type.Optional(named('ReplayTrigger', oneOf(replayTriggers))),
});

const state = {
  replayId: Cuid,
  state: named('JobState', oneOf(jobStates)),
  progress: object({ done: Count, total: Count }),
  counts: object({ same: Count, inputsDiffer: Count, rulesDiffer: Count }),
  /** The attestation of a nightly replay that has ended; `previousHash` is empty for the first one of all. */
  attestation: nullable(object({ hash: Sha256, previousHash: Type.String(), at: Timestamp })),
};

export const ReplayView = named(
  'Replay',
  object({
    ...state,
    rows: Type.Array(
      object({
        stampId: Type.String(),
        verdict: oneOf(differingVerdicts),
        fields: Type.Array(Type.String()),
      }),
    ),
    nextCursor: nullable(Type.String()),
  }),
);

export const ReplaysView = page(
  object({
    ...state,
    trigger: named('ReplayTrigger', oneOf(replayTriggers)),
    /** Null for the whole platform. */
    organizationId: nullable(Cuid),
    scope: SimulationScope,
    from: nullable(Timestamp),
    to: nullable(Timestamp),
    createdAt: Timestamp,
  }),
);
