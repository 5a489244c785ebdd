// Live lessons as responses for staff.
import type { Static } from 'typebox';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import type { LiveParticipant } from '../rows/participants.ts';
import type { LiveLessonDetails, LiveLessonView } from './schemas.ts';

export const presentLive = (row: LiveLessonRow): Static<typeof LiveLessonView> => ({
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
  row: LiveLessonRow,
  participants: readonly LiveParticipant[],
): Static<typeof LiveLessonDetails> => ({
  ...presentLive(row),
  participants: participants.map(({ studentId, joinedAt, lastSeenAt }) => ({ studentId, joinedAt, lastSeenAt })),
  currentItemRef: row.currentItemRef,
  responsesLocked: row.responsesLocked,
});
