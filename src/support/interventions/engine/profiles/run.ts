// The input of a profile: one stored run of the skill-status engine.
import type {
  CompPattern,
  HaltAction,
  NextDataAction,
  PacReason,
  SkillStatus,
} from '#assessment/skill-status/engine/index.ts';

export interface RunSubSkill {
  readonly outcome: 'decided' | 'do_not_decide_yet' | 'not_assessed';
  /** Null when it was not assessed. */
  readonly reason: PacReason | null;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
  /** The action that would end its halt; null when it is not halted. */
  readonly nextRecommendedDataAction: HaltAction | null;
}

export interface RunDomain {
  readonly outcome: 'decided' | 'do_not_decide_yet' | 'not_assessed' | 'not_in_scope';
  readonly status: SkillStatus | null;
}

export interface ProfileRun {
  readonly contextReview: boolean;
  /** In-scope sub-skills by code; one that is missing was not assessed. */
  readonly subSkills: Readonly<Record<string, RunSubSkill>>;
  readonly domains: Readonly<Record<string, RunDomain>>;
  readonly comprehension: {
    readonly pattern: CompPattern | null;
    readonly nextRecommendedDataAction: NextDataAction | null;
  };
  /** Tile code → its value. */
  readonly tiles: Readonly<Record<string, string>>;
}
