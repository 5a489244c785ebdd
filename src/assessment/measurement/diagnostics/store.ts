// The rows of a diagnostic session, and their conversion to the engine's state.

import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { GradeBand } from '../../content/index.ts';
import type { AnswerLists } from '../evidence/answer-lists.ts';
import type { SelectionTier } from '../scoring/engine/select.ts';
import type { FinishReason, SubSkillEstimate } from './engine/finish.ts';
import {
  activeMsUsed,
  type EventRow,
  type ResponseRow,
  type ServedRow,
  type SessionState,
  type SessionStatus,
} from './engine/state.ts';

/** The versions with which a session was started; it is always scored with them. */
export interface PinnedVersions {
  readonly catalogueVersion: string;
  readonly bankVersion: string;
  readonly calibrationVersion: string;
  readonly formsVersion: string;
  readonly benchmarkProfile: { readonly key: string; readonly version: number } | null;
  readonly gradeBand: GradeBand;
}

export class DiagnosticSession extends Row {
  static override tableName = 'diagnostic_session';
  static override jsonAttributes = ['pinned'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare status: SessionStatus;
  declare formCode: string;
  declare partIndex: number;
  declare partCount: number;
  declare grade: number;
  declare gradeBand: GradeBand;
  declare season: 'BOY' | 'MOY' | 'EOY';
  declare schoolYear: string;
  declare subSkills: string[];
  declare closedSubSkills: string[];
  declare seenItemIds: string[];
  declare pinned: PinnedVersions;
  declare startedAt: string;
  declare expiresAt: string;
  declare finishedAt: string | null;
  declare finishReason: FinishReason | null;
  /** The next part at the time of the finish. */
  declare nextFormCode: string | null;
  declare activeMsUsed: number;
  /** Set by the finish. Also null in sessions finished by a release that did not store the answers. */
  declare answers: AnswerLists | null;
}

export class DiagnosticServedItem extends Row {
  static override tableName = 'diagnostic_served_item';
  static override idColumn = ['organizationId', 'sessionId', 'seq'];
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  declare seq: number;
  declare itemId: string;
  declare itemVersion: number;
  declare subSkillCode: string;
  declare difficultyLogit: number;
  declare selectionTier: SelectionTier;
  declare servedAt: string;
}

export class DiagnosticResponse extends Row {
  static override tableName = 'diagnostic_response';
  static override idColumn = ['organizationId', 'sessionId', 'seq'];
  declare servedItemId: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  declare seq: number;
  declare selectedOptionIndex: number | null;
  declare skipped: boolean;
  declare correct: boolean;
  /** As reported by the client. */
  declare reportedLatencyMs: number;
  /** The counted latency: without pauses and audio replays. */
  declare latencyMs: number;
  /** The latency without pauses. Null in rows of a release that stored one latency only. */
  declare heardMs: number | null;
  declare optionChanges: number;
  declare receivedAt: string;
}

export class DiagnosticEvent extends Row {
  static override tableName = 'diagnostic_event';
  declare id: number;
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  declare type: EventRow['type'];
  declare servedItemId: string | null;
  declare at: string;
  declare durationMs: number | null;
  declare receivedAt: string;
}

export class DiagnosticEstimate extends Row {
  static override tableName = 'diagnostic_estimate';
  static override idColumn = ['organizationId', 'sessionId', 'subSkillCode'];
  declare organizationId: string;
  declare schoolYear: string;
  declare sessionId: string;
  declare subSkillCode: string;
  declare theta: number | null;
  declare se: number | null;
  declare n: number;
  declare calibrationProvisional: boolean;
  declare stopReason: SubSkillEstimate['stopReason'];
  declare ruleVersion: string;
}

/** A session with all its rows. */
export interface SessionRecord {
  readonly session: DiagnosticSession;
  readonly served: readonly DiagnosticServedItem[];
  readonly responses: readonly DiagnosticResponse[];
  readonly events: readonly DiagnosticEvent[];
}

export async function loadRecord(trx: Trx, session: DiagnosticSession): Promise<SessionRecord> {
  const own = { sessionId: session.id };
  const served = await DiagnosticServedItem.query(trx).where(own).orderBy('seq');
  const responses = await DiagnosticResponse.query(trx).where(own).orderBy('seq');
  const events = await DiagnosticEvent.query(trx).where(own).orderBy('id');
  return { session, served, responses, events };
}

/** Inserts all served items and answers of a session whose start is stored, with one statement per table. */
export async function storeSitting(trx: Trx, { session, served, responses }: SessionRecord): Promise<void> {
  await DiagnosticServedItem.query(trx).insert([...served]);
  await DiagnosticResponse.query(trx).insert([...responses]);
  await DiagnosticSession.query(trx)
    .findById(session.id)
    .patch({ activeMsUsed: activeMsUsed(responses), closedSubSkills: session.closedSubSkills });
}

export function stateOf({ session, served, responses }: SessionRecord): SessionState {
  return {
    subSkills: session.subSkills,
    band: session.gradeBand,
    seenItemIds: new Set(session.seenItemIds),
    closedSubSkills: new Set(session.closedSubSkills),
    served: served.map(servedRow),
    responses: responses.map(responseRow),
  };
}

const servedRow = (row: DiagnosticServedItem): ServedRow => ({
  servedItemId: row.id,
  seq: row.seq,
  itemId: row.itemId,
  subSkillCode: row.subSkillCode,
  difficultyLogit: row.difficultyLogit,
  servedAtMs: Date.parse(row.servedAt),
});

const responseRow = ({ seq, selectedOptionIndex, correct, latencyMs }: DiagnosticResponse): ResponseRow => ({
  seq,
  selectedOptionIndex,
  correct,
  latencyMs,
});

export const eventRow = ({ type, servedItemId, at, durationMs }: DiagnosticEvent): EventRow => ({
  type,
  servedItemId,
  atMs: Date.parse(at),
  durationMs,
});
