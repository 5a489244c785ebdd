// Packs a class's plans into sessions of fixed length: first-fit decreasing (Johnson 1973), longest plan first.
import { type PlannedAction, secondsOfAll } from './plan.ts';

export interface StudentPlan {
  readonly studentId: number;
  readonly actions: readonly PlannedAction[];
}

export interface PlannedSession {
  /** From 1. */
  readonly sessionNo: number;
  readonly seconds: number;
  /** By student id. */
  readonly entries: readonly StudentPlan[];
}

/**
 * Returns the sessions. A plan that fits a session is not split; a longer one is split between actions. An action
 * longer than a session gets its own. Ties go to the lower student id, then to the earlier part.
 */
export function packSessions(plans: readonly StudentPlan[], sessionSeconds: number): PlannedSession[] {
  const pieces = plans
    .flatMap((plan) => piecesOf(plan, sessionSeconds))
    .sort((a, b) => b.seconds - a.seconds || a.studentId - b.studentId || a.pieceNo - b.pieceNo);
  const sessions: Piece[][] = [];
  for (const piece of pieces) {
    const fitting = sessions.find((session) => secondsIn(session) + piece.seconds <= sessionSeconds);
    if (fitting) fitting.push(piece);
    else sessions.push([piece]);
  }
  return sessions.map((session, at) => ({
    sessionNo: at + 1,
    seconds: secondsIn(session),
    entries: entriesOf(session),
  }));
}

interface Piece extends StudentPlan {
  readonly pieceNo: number;
  readonly seconds: number;
}

function piecesOf({ studentId, actions }: StudentPlan, sessionSeconds: number): Piece[] {
  const groups: PlannedAction[][] = [];
  for (const action of actions) {
    const last = groups.at(-1);
    if (last && secondsOfAll(last) + action.seconds <= sessionSeconds) last.push(action);
    else groups.push([action]);
  }
  return groups.map((group, pieceNo) => ({ studentId, actions: group, pieceNo, seconds: secondsOfAll(group) }));
}

const secondsIn = (session: readonly Piece[]): number => session.reduce((sum, { seconds }) => sum + seconds, 0);

/** Merges the pieces of one student in a session. */
function entriesOf(session: readonly Piece[]): StudentPlan[] {
  const students = [...new Set(session.map(({ studentId }) => studentId))].sort((a, b) => a - b);
  return students.map((studentId) => ({
    studentId,
    actions: session
      .filter((piece) => piece.studentId === studentId)
      .sort((a, b) => a.pieceNo - b.pieceNo)
      .flatMap(({ actions }) => actions),
  }));
}
