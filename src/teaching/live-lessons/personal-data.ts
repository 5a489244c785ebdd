// The tables in which live lessons store data about a student.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const liveLessonsSection: PersonalDataSection = {
  name: 'live-sessions',
  tables: [
    { table: 'live_participant', student: 'studentId' },
    { table: 'live_group', student: 'leaderStudentId' },
    { table: 'live_group_member', student: 'studentId' },
    { table: 'live_event', student: 'studentId' },
    { table: 'live_client_event', student: 'userId' },
    { table: 'live_response', student: 'studentId' },
    { table: 'live_observation', student: 'studentId' },
    { table: 'live_own_run', student: 'studentId' },
    { table: 'live_projector_seat', student: 'studentId' },
  ],
};
