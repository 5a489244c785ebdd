// What leaves of a live session, for staff.
import type { Static } from 'typebox';
import type { LiveParticipant } from '../rows/participants.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import type { LiveSessionDetails, LiveSessionView } from './schemas.ts';

export const presentLive = (row: LiveSessionRow): Static<typeof LiveSessionView> => ({
  liveSessionId: row.id,
  classId: row.classId,
  state: row.state,
  joinCode: row.joinCode,
  bundle_id: row.bundleId,
  stepNo: row.stepNo,
  controlVersion: row.controlVersion,
  createdAt: row.createdAt,
});

export const presentLiveDetails = (
  row: LiveSessionRow,
  participants: readonly LiveParticipant[],
): Static<typeof LiveSessionDetails> => ({
  ...presentLive(row),
  participants: participants.map(({ studentId, joinedAt, lastSeenAt }) => ({ studentId, joinedAt, lastSeenAt })),
  currentItemRef: row.currentItemRef,
  responsesLocked: row.responsesLocked,
});
