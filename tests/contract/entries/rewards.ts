// Rewards of students. Callers out of reach get 404 here, where other operations return 403 (60 §1).
import type { Entries } from '../requests/entry.ts';

const hidden = { 'PRINCIPAL elsewhere': 404, 'TEACHER elsewhere': 404 } as const;
/** The permission keeps out all other callers. */
const staff = {
  SUPER: 200,
  ADMIN: 200,
  PRINCIPAL: 200,
  TEACHER: 200,
  MANAGER: 403,
  PARENT: 403,
  STUDENT: 403,
} as const;
const others = { 'PARENT elsewhere': 403, 'STUDENT elsewhere': 403, nobody: 401 } as const;

export const rewardEntries: Entries = {
  getGamificationProfile: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.studentId } }),
    expect: { ...hidden, 'STUDENT elsewhere': 404 },
  },
  getClassLeaderboard: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { classId: at.tenant.classId } }),
    expect: { ...staff, ...others, ...hidden },
  },
  getTeacherLeaderboard: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { teacherUserId: at.tenant.teacherId } }),
    expect: { ...staff, ...others, ...hidden },
  },
  getSchoolLeaderboard: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { schoolId: at.tenant.schoolId } }),
    expect: { ...staff, ...others, TEACHER: 403, 'PRINCIPAL elsewhere': 404, 'TEACHER elsewhere': 403 },
    refusedFirst: ['TEACHER', 'TEACHER elsewhere'],
  },
  rescindBadge: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { studentBadgeId: await at.tenant.fresh.badge() },
      body: { overrideCode: 'Gam_Award_Invalid_05' },
    }),
  },
  listCelebrations: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.studentId } }),
    // Principals read derived views only.
    expect: { PRINCIPAL: 403 },
  },
  markCelebrationSeen: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: at.tenant.studentId, celebrationId: await at.tenant.fresh.celebration() },
      body: {},
    }),
    // Only the student marks it.
    expect: { SUPER: 403, ADMIN: 403, PRINCIPAL: 403, TEACHER: 403 },
  },
};
