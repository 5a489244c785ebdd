// The facts of the alerts about sub-skills: which one fell, and which ones need attention.

import { isWeak, type SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { daysBetween } from '#core/platform/pure/dates/days.ts';
import type { Catalogue, Roles } from '#rules/catalogue/engine/index.ts';
import { concernOrder, isStrong } from '../../../interventions/engine/index.ts';
import type { AcuteDrop } from '../alerts/alert.ts';
import type { SkillStateOrNone } from '../vocabulary.ts';
import type { Measurement } from './measurements.ts';

export interface SkillHistory {
  /** The state of layer A. */
  readonly state: SkillStateOrNone;
  /** The state before the newest measurement. */
  readonly stateBeforeNewest: SkillStateOrNone;
  readonly measurements: readonly Measurement[];
}

export interface SkillQuestion {
  /** By sub-skill. */
  readonly skills: Readonly<Record<string, SkillHistory>>;
  /** Snapshots that have opened an acute alert. */
  readonly used: ReadonlySet<number>;
  /** Roles that an open assignment covers. */
  readonly coveredRoles: ReadonlySet<string>;
}

export interface SkillFacts {
  readonly skillHits: readonly string[];
  readonly acuteDrop: AcuteDrop | null;
}

interface Newest {
  readonly code: string;
  readonly history: SkillHistory;
  readonly newest: Measurement;
  readonly before: Measurement | undefined;
}

export interface SkillRules {
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  /** The most days between the two measurements of an acute drop. */
  readonly acuteDropDays: number;
}

/** In concern order, then in catalogue order; indicators never hit. */
export function skillFacts({ skills, used, coveredRoles }: SkillQuestion, rules: SkillRules): SkillFacts {
  const measured = inOrder(skills, rules.catalogue);
  const coveredSkills = rules.roles.roles
    .filter(({ code }) => coveredRoles.has(code))
    .flatMap((role) => role.subSkills);
  const covered = new Set(coveredSkills.map(({ code }) => code));
  const fell = measured.find((one) => isAcuteDrop(one, used, rules.acuteDropDays));
  return {
    skillHits: measured.filter((one) => needsAttention(one) && !covered.has(one.code)).map(({ code }) => code),
    acuteDrop: fell ? { subSkillCode: fell.code, snapshotId: fell.newest.snapshotId } : null,
  };
}

/** The state of layer A after the runs before the newest measurement. */
export function stateBeforeNewest(
  measurements: readonly Measurement[],
  /** Changes of layer A, in the order of their runs. */
  changes: readonly { readonly snapshotId: number; readonly state: SkillStateOrNone }[],
): SkillStateOrNone {
  const first = measurements.at(-1)?.snapshotIds[0];
  return changes.findLast(({ snapshotId }) => first !== undefined && snapshotId < first)?.state ?? 'none';
}

function inOrder(skills: SkillQuestion['skills'], { subSkills }: Catalogue): Newest[] {
  const measured = subSkills
    .filter(({ accuracyIndicator }) => !accuracyIndicator)
    .flatMap(({ code }): Newest[] => {
      const history = skills[code];
      const newest = history?.measurements.at(-1);
      return history && newest ? [{ code, history, newest, before: history.measurements.at(-2) }] : [];
    });
  const concern = (status: SkillStatus) => concernOrder.indexOf(status);
  return measured.toSorted((a, b) => concern(a.newest.status) - concern(b.newest.status));
}

function isAcuteDrop({ history, newest, before }: Newest, used: ReadonlySet<number>, mostDays: number): boolean {
  const stood = history.stateBeforeNewest === 'on_track' || history.stateBeforeNewest === 'maintenance';
  if (!stood || before?.status !== 'adequate' || !isStrong(newest.status)) return false;
  const isSpent = newest.snapshotIds.some((id) => used.has(id));
  return !isSpent && daysBetween(before.endedOn, newest.endedOn) <= mostDays;
}

function needsAttention({ history, newest, before }: Newest): boolean {
  if (history.state !== 'monitoring') return false;
  if (newest.status === 'weak_gateway') return true;
  return before !== undefined && isWeak(newest.status) && isWeak(before.status);
}
