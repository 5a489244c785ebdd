// What a profile is resolved from: one run of the skill-status engine, as it is stored.
import type {
  CompPattern,
  HaltAction,
  NextDataAction,
  PacReason,
  SkillStatus,
} from '#assessment/skill-status/engine/index.ts';

export interface RunSubSkill {
  readonly outcome: 'decided' | 'do_not_decide_yet' | 'not_assessed';
  /** Null where it was not assessed. */
  readonly reason: PacReason | null;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
  /** What would end its halt; null where nothing is halted. */
  readonly nextRecommendedDataAction: HaltAction | null;
}

export interface RunDomain {
  readonly outcome: 'decided' | 'do_not_decide_yet' | 'not_assessed' | 'not_in_scope';
  readonly status: SkillStatus | null;
}

export interface ProfileRun {
  readonly contextReview: boolean;
  /** In-scope sub-skills by code; one that is not listed was not assessed. */
  readonly subSkills: Readonly<Record<string, RunSubSkill>>;
  readonly domains: Readonly<Record<string, RunDomain>>;
  readonly comprehension: {
    readonly pattern: CompPattern | null;
    readonly nextRecommendedDataAction: NextDataAction | null;
  };
  /** Tile code → its value. */
  readonly tiles: Readonly<Record<string, string>>;
}
