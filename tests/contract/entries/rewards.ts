// What students have grown by. Who is out of reach gets 404 here, where other operations answer 403 (60 §1).
import type { Entries } from '../requests/entry.ts';

const hidden = { 'PRINCIPAL elsewhere': 404, 'TEACHER elsewhere': 404 } as const;
/** Reach words of this table's own: the permission keeps all others out. */
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
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.studentId } }),
    expect: { ...hidden, 'STUDENT elsewhere': 404 },
  },
  getClassLeaderboard: {
    slots: ['place'],
    request: ({ at }) => ({ params: { classId: at.place.classId } }),
    expect: { ...staff, ...others, ...hidden },
  },
  getTeacherLeaderboard: {
    slots: ['place'],
    request: ({ at }) => ({ params: { teacherUserId: at.place.teacherId } }),
    expect: { ...staff, ...others, ...hidden },
  },
  getSchoolLeaderboard: {
    slots: ['place'],
    request: ({ at }) => ({ params: { schoolId: at.place.schoolId } }),
    expect: { ...staff, ...others, TEACHER: 403, 'PRINCIPAL elsewhere': 404, 'TEACHER elsewhere': 403 },
    refusedFirst: ['TEACHER', 'TEACHER elsewhere'],
  },
  rescindBadge: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { studentBadgeId: await at.place.fresh.badge() },
      body: { overrideCode: 'Gam_Award_Invalid_05' },
    }),
  },
  listCelebrations: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.studentId } }),
    // Principals read derived surfaces, and this is none.
    expect: { PRINCIPAL: 403 },
  },
  markCelebrationSeen: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: at.place.studentId, celebrationId: await at.place.fresh.celebration() },
      body: {},
    }),
    // The student alone marks it.
    expect: { SUPER: 403, ADMIN: 403, PRINCIPAL: 403, TEACHER: 403 },
  },
};
