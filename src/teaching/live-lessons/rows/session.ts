// The row of a live session. Every write of a session, whatever part of it, locks this row first.
import { Row } from '#core/platform/model.ts';
import type { LiveState } from '../enums.ts';

export class LiveSessionRow extends Row {
  static override tableName = 'live_session';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['itemRefs'];
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  /** IANA name. */
  declare timeZone: string;
  declare classId: number;
  /** The session that it teaches. */
  declare sessionId: string | null;
  declare bundleId: string | null;
  declare stepNo: number | null;
  declare state: LiveState;
  /** Six digits; works until the end. */
  declare joinCode: string;
  declare controlVersion: number;
  /** 0: none yet. */
  declare playlistNo: number;
  /** Of that playlist, in its order. */
  declare itemRefs: string[];
  declare currentItemRef: string | null;
  declare responsesLocked: boolean;
  declare createdBy: number;
  declare createdAt: string;
  declare startedAt: string | null;
  /** Of a cancelled one too. */
  declare endedAt: string | null;
}

/** Its columns alone. */
export type LiveColumns = Omit<LiveSessionRow, keyof Row>;

type Frozen = 'id' | 'organizationId' | 'schoolYear' | 'timeZone' | 'classId' | 'sessionId' | 'joinCode';
export type LiveChange = Partial<Omit<LiveColumns, Frozen | 'createdBy' | 'createdAt'>>;
