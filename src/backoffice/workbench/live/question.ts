// What a thread is asked, and what it answers. Both are plain values, which are cloned from thread to thread.
import type { simulation } from '#assessment/skill-status/index.ts';
import type { DocumentName, FactValue, FindingCode, Versions } from '#rules/rulesets/index.ts';
import type { Scales } from '../impact/engine/direction.ts';
import type { ImpactPosition } from '../impact/engine/position.ts';
import type { RuleTables } from '../impact/engine/report.ts';
import type { ImpactScope } from '../impact/input.ts';
import type { AskedRegion } from './engine/asked-questions.ts';

/** Which students: those of the organizations, of one school or one class of them. */
export interface LiveScope {
  readonly scope: ImpactScope;
  /** In the order of their ids. */
  readonly organizations: readonly string[];
  /** The versions in force. */
  readonly before: Versions;
  /** ISO 8601: the present. */
  readonly now: string;
}

/** A transition of a layer whose students are listed. */
export interface LiveTransition {
  readonly layer: simulation.LayerName;
  readonly from: string;
  readonly to: string;
}

export interface LiveQuestion extends LiveScope {
  /** Equal for equal questions, whenever they are asked. */
  readonly questionId: string;
  /** Who asks: a newer question of the same person ends the older one. */
  readonly userId: number;
  /** Texts that replace documents of `before`. */
  readonly texts: readonly string[];
  readonly students: LiveTransition | null;
  readonly maxMs: number;
}

/** The bound of the students who are listed. */
export const mostListed = 100;

export interface LiveStudent {
  readonly studentId: number;
  readonly subject: string;
  readonly classId: number | null;
  readonly schoolId: string | null;
}

/** How much of the scope lies in memory. */
export interface IndexState {
  /** Students with a run of the school year, as far as they are loaded. */
  readonly of: number;
  readonly isLoaded: boolean;
  /** The students of these organizations are more than the memory may hold. */
  readonly isTooLarge: boolean;
  /** Students of whom a newer run is stored than the one that lies in memory. */
  readonly runsBehind: number;
}

/** The counts of one thread’s part of the students. */
export interface LiveCounts extends IndexState {
  readonly seen: number;
  readonly position: ImpactPosition;
  readonly regions: readonly (AskedRegion & { readonly students: number })[];
  readonly students: readonly LiveStudent[];
  /** The proposed rules do not decide stored evidence; the counts are worthless then. */
  readonly fault: FindingCode | null;
  readonly scales: Scales;
  readonly tables: readonly RuleTables[];
}

export interface DistributionQuestion extends LiveScope {
  readonly table: DocumentName;
  readonly fact: string;
  /** Lower ends of the bins, ascending; null: one bin for each value. */
  readonly cuts: readonly number[] | null;
  readonly maxMs: number;
}

export interface ValueCount {
  readonly value: FactValue;
  readonly questions: number;
  readonly students: number;
}

export interface DistributionCounts extends IndexState {
  readonly seen: number;
  /** By the lower end of the bin, or by value. */
  readonly counts: readonly ValueCount[];
  readonly smallest: number | null;
  readonly largest: number | null;
}
