// What the daily run makes of an alert or packet: its due day, its stage, and what has to be told.
import type { SchoolCalendar } from '../../../interventions/engine/index.ts';
import { type DueStage, dueDaysFrom, isLaterStage, stageAt } from './due-days.ts';

/** The stored part of an alert or packet. */
export interface DueState {
  /** Local date from which the due days are counted; null before the first count. */
  readonly dueFrom: string | null;
  readonly dueOn: string | null;
  /** The highest that has come. */
  readonly stage: DueStage;
  /** The highest that was told to the teachers or the principals since the count began. */
  readonly toldStage: DueStage;
  /** Whether the administrators were told of the last stage since then. */
  readonly adminsTold: boolean;
}

export const undueState = {
  dueFrom: null,
  dueOn: null,
  stage: 'opened',
  toldStage: 'opened',
  adminsTold: false,
} as const;

export interface DueQuestion {
  readonly state: DueState;
  /** The latest of the days from which the count begins. */
  readonly from: string;
  /** School days until the due day. */
  readonly days: number;
  /** Whether something else is under way: then nothing is due. */
  readonly isHeld: boolean;
  readonly calendar: SchoolCalendar;
  readonly today: string;
}

/** A count that begins on another day begins the stages anew. While it is held the last stage stays. */
export function followedState({ state, from, days, isHeld, calendar, today }: DueQuestion): DueState {
  const begun = state.dueFrom === from ? state : { ...undueState, dueFrom: from };
  if (isHeld) return { ...begun, dueOn: null };
  const found = dueDaysFrom(calendar, from, days);
  return { ...begun, dueOn: found.dueOn, stage: stageAt(found, today) };
}

export type OverdueAudience = 'principals' | 'admins';

export interface StageNotices {
  readonly reminder: boolean;
  /** Who is told that it is overdue. */
  readonly overdue: readonly OverdueAudience[];
}

/** Only the highest stage that has come is told, once. Without principals the administrators are told in their place. */
export function noticesOf({ dueOn, stage, toldStage, adminsTold }: DueState, hasPrincipals: boolean): StageNotices {
  const isNew = dueOn !== null && isLaterStage(stage, toldStage);
  if (stage === 'opened' || dueOn === null) return { reminder: false, overdue: [] };
  if (stage === 'reminder') return { reminder: isNew, overdue: [] };
  const ofSchool: OverdueAudience[] = isNew ? ['principals'] : [];
  const ofAdmins: OverdueAudience[] = stage === 'overdue_again' && !adminsTold ? ['admins'] : [];
  if (hasPrincipals) return { reminder: false, overdue: [...ofSchool, ...ofAdmins] };
  return { reminder: false, overdue: isNew || ofAdmins.length > 0 ? ['admins'] : [] };
}

/** The state once an audience has been told. */
export function toldState(state: DueState, audience: OverdueAudience | 'teachers', hasPrincipals: boolean): DueState {
  const adminsTold = state.adminsTold || (audience === 'admins' && state.stage === 'overdue_again');
  const ofSchool = audience !== 'admins' || !hasPrincipals;
  return { ...state, adminsTold, toldStage: ofSchool ? state.stage : state.toldStage };
}
