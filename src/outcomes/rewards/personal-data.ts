// Tables with a student's growth and rewards.
import type { PersonalDataSection } from '#identity/people/index.ts';

export const rewardsSection: PersonalDataSection = {
  name: 'rewards',
  tables: [
    { table: 'mastery_event', student: 'studentId' },
    { table: 'xp_transaction', student: 'studentId' },
    { table: 'student_badge', student: 'studentId' },
    { table: 'student_badge_rescind', student: 'studentId' },
    { table: 'reward_celebration', student: 'studentId' },
    { table: 'mastery_candidate', student: 'studentId' },
  ],
};
