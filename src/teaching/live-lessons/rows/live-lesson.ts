// The model of a live lesson. Every write of any part of a live lesson locks this row first.

import { conflict } from '#core/platform/errors.ts';
import { Row } from '#core/platform/model.ts';
import type { LiveState } from '../enums.ts';

export class LiveLessonRow extends Row {
  static override tableName = 'live_session';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['itemRefs'];
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  /** IANA name. */
  declare timeZone: string;
  declare classId: number;
  /** The lesson that is taught; null for a lesson without a blueprint. */
  declare sessionId: string | null;
  declare bundleId: string | null;
  declare stepNo: number | null;
  declare state: LiveState;
  /** Six digits, valid until the end. */
  declare joinCode: string;
  declare controlVersion: number;
  /** 0 without a playlist. */
  declare playlistNo: number;
  /** References of that playlist, in order. */
  declare itemRefs: string[];
  declare currentItemRef: string | null;
  declare responsesLocked: boolean;
  declare createdBy: number;
  declare createdAt: string;
  declare startedAt: string | null;
  /** Set for cancelled lessons too. */
  declare endedAt: string | null;
}

/** The columns of the row. */
export type LiveColumns = Omit<LiveLessonRow, keyof Row>;

type Frozen = 'id' | 'organizationId' | 'schoolYear' | 'timeZone' | 'classId' | 'sessionId' | 'joinCode';
export type LiveChange = Partial<Omit<LiveColumns, Frozen | 'createdBy' | 'createdAt'>>;

/** Throws CONFLICT `invalid_transition` unless the lesson is in one of the allowed states. */
export function requireLiveState({ state }: Pick<LiveLessonRow, 'state'>, allowed: readonly LiveState[]): void {
  if (allowed.includes(state)) return;
  throw conflict('invalid_transition', `This cannot be done while the lesson is ${state}.`, 'state');
}
