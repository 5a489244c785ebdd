// Cases of tiers and packets: from rows, facts and calls to the results of the engines.

import type { SkillStatus } from '#assessment/skill-status/index.ts';
import type { RoleCode } from '#support/interventions/index.ts';
import {
  type ApprovalCall,
  type ApprovalStudent,
  type ApprovedPacket,
  checkApproval,
} from '#support/rti/engine/packets/approval-check.ts';
import { type OpenableState, openable } from '#support/rti/engine/packets/openable.ts';
import type { LayerAQuestion } from '#support/rti/engine/skills/layer-a.ts';
import { type Measurement, withRow } from '#support/rti/engine/skills/measurements.ts';
import { type RoleMeasurement, responseOfStatuses } from '#support/rti/engine/skills/progress.ts';
import { type SkillHistory, skillFacts } from '#support/rti/engine/skills/skill-facts.ts';
import { type CommitCall, type CommitState, checkCommit } from '#support/rti/engine/tiers/commit-check.ts';
import type { TierFacts } from '#support/rti/engine/tiers/recommend.ts';
import type { SkillStateOrNone } from '#support/rti/engine/vocabulary.ts';
import type { Engines } from './engines.ts';

interface LayerAInput {
  readonly rows: readonly {
    readonly status: SkillStatus | null;
    readonly sessionId: string;
    readonly endedOn: string;
    readonly snapshotId: number;
    readonly trend: LayerAQuestion['trend'];
  }[];
}

export function layerACase({ rows }: LayerAInput, { rti }: Engines) {
  let prior: SkillStateOrNone = 'none';
  let measurements: readonly Measurement[] = [];
  return rows.map(({ trend, ...row }) => {
    measurements = withRow(measurements, { ...row, endedAt: row.endedOn });
    const found = rti.layerA({ prior, outcome: row.status ?? 'do_not_decide_yet', measurements, trend });
    prior = found.state;
    return { state: found.state, changed: found.changed, event: found.event };
  });
}

interface SkillFactsInput {
  readonly skills: Readonly<
    Record<
      string,
      Omit<SkillHistory, 'measurements'> & {
        readonly measurements: readonly Omit<Measurement, 'endedAt' | 'snapshotIds'>[];
      }
    >
  >;
  readonly used: readonly number[];
}

export function skillFactsCase({ skills, used }: SkillFactsInput, { rti }: Engines) {
  const histories = Object.entries(skills).map(([code, history]): [string, SkillHistory] => {
    const measurements = history.measurements.map((one) => ({
      ...one,
      endedAt: one.endedOn,
      snapshotIds: [one.snapshotId],
    }));
    return [code, { ...history, measurements }];
  });
  const question = { skills: Object.fromEntries(histories), used: new Set(used), coveredRoles: new Set<RoleCode>() };
  const { skillHits, acuteDrop } = skillFacts(question, rti.skills);
  return { skillHits, acuteDrop: acuteDrop?.subSkillCode ?? null };
}

interface ProgressInput {
  readonly tierSince: string;
  readonly history: readonly RoleMeasurement[];
}

export const progressCase = ({ tierSince, history }: ProgressInput, { rti }: Engines) =>
  responseOfStatuses(tierSince, history, rti.settings);

interface TierInput {
  readonly facts: TierFacts;
}

export const tierCase = ({ facts }: TierInput, { rti }: Engines) => rti.recommend(facts);

interface CommitInput {
  readonly call: CommitCall;
  readonly state: Omit<CommitState, 'recommendation'> & { readonly r: CommitState['recommendation'] };
}

export const commitCase = ({ call, state }: CommitInput, { rti }: Engines) =>
  checkCommit(call, { ...state, recommendation: state.r }, rti.codes);

interface OpenableInput {
  readonly state: OpenableState;
}

export const openableCase = ({ state }: OpenableInput, { rti }: Engines) => openable(state, rti.packets);

interface ApprovalInput {
  readonly call: ApprovalCall;
  readonly packet: ApprovedPacket;
  readonly student: Omit<ApprovalStudent, 'acuteOpen'> & { readonly acuteOpen?: boolean };
}

export const approvalCase = ({ call, packet, student }: ApprovalInput, { rti }: Engines) =>
  checkApproval(call, packet, { acuteOpen: false, ...student }, { ...rti.packets, codes: rti.codes });
