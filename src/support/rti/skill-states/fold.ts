// Folds the snapshots of one student into the states of the sub-skills, without a database.

import type { LayerAAnswer, LayerAQuestion } from '../engine/skills/layer-a.ts';
import type { Measurement } from '../engine/skills/measurements.ts';
import { withRow } from '../engine/skills/measurements.ts';
import type { SkillState } from '../engine/vocabulary.ts';
import type { SnapshotTrend, StatusSnapshot } from './snapshots.ts';

export interface CurrentSkillState {
  readonly state: SkillState | null;
  readonly measurements: readonly Measurement[];
}

export interface SkillChange {
  readonly snapshot: StatusSnapshot;
  readonly from: SkillState | null;
  readonly to: SkillState;
  readonly answer: LayerAAnswer;
}

export interface FoldedSnapshots {
  /** In the order of the snapshots. */
  readonly changes: readonly SkillChange[];
  /** By sub-skill, the result for its newest snapshot. */
  readonly answers: ReadonlyMap<string, LayerAAnswer>;
  /** By sub-skill, for those with a snapshot. */
  readonly measured: ReadonlyMap<string, readonly Measurement[]>;
}

export interface Folding {
  readonly layerA: (question: LayerAQuestion) => LayerAAnswer;
  /** Local date of an instant. */
  readonly dateOf: (instant: string) => string;
  readonly trendAt: (snapshot: StatusSnapshot) => SnapshotTrend;
}

/** `snapshots` in the order of their runs. */
export function foldSkills(
  snapshots: readonly StatusSnapshot[],
  currentOf: (subSkillCode: string) => CurrentSkillState,
  folding: Folding,
): FoldedSnapshots {
  const now = new Map<string, CurrentSkillState>();
  const answers = new Map<string, LayerAAnswer>();
  const changes = snapshots.flatMap((snapshot) => {
    const { subSkillCode } = snapshot;
    const { state, measurements } = now.get(subSkillCode) ?? currentOf(subSkillCode);
    const measured = withSnapshot(measurements, snapshot, folding);
    const answer = folding.layerA({
      prior: state ?? 'none',
      outcome: snapshot.status ?? 'do_not_decide_yet',
      measurements: measured,
      trend: folding.trendAt(snapshot),
    });
    const to = answer.state === 'none' ? null : answer.state;
    answers.set(subSkillCode, answer);
    now.set(subSkillCode, { state: to, measurements: measured });
    return to !== null && to !== state ? [{ snapshot, from: state, to, answer }] : [];
  });
  return { changes, answers, measured: new Map([...now].map(([code, { measurements }]) => [code, measurements])) };
}

const withSnapshot = (
  measurements: readonly Measurement[],
  { id, status, session }: StatusSnapshot,
  { dateOf }: Folding,
) =>
  session === null
    ? measurements
    : withRow(measurements, {
        ...{ snapshotId: id, status, sessionId: session.id, endedAt: session.endedAt },
        endedOn: dateOf(session.endedAt),
      });
