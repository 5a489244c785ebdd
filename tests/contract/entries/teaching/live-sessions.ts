// Live lessons: creating, joining, controlling, reading.
import { randomUUID } from 'node:crypto';
import { buildBlueprint } from '../../../teaching/lesson-blueprints/rows.ts';
import type { Entries } from '../../requests/entry.ts';

/** The class is in the body, and these personas never teach one. */
const noTeachers = ['SUPER', 'ADMIN', 'PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const liveSessionEntries: Entries = {
  createLiveSession: {
    slots: ['tenant'],
    refusedFirst: noTeachers,
    request: ({ at }) => ({ body: { classId: at.tenant.classId } }),
  },
  joinLiveSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ body: { joinCode: (await at.tenant.fresh.liveSession()).joinCode } }),
  },
  getLiveSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.liveSession()).id } }),
  },
  startLiveSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.liveSession()).id } }),
  },
  controlLiveSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.liveSession()).id },
      body: { action: 'cancel', expectedVersion: 0 },
    }),
  },
  setLivePlaylist: {
    slots: ['tenant'],
    request: async ({ at, app }) => ({
      params: { id: (await at.tenant.fresh.liveSession()).id },
      body: { blueprintId: await buildBlueprint(app.database.owner), itemRefs: ['item-1'] },
    }),
  },
  getLivePlaylist: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.liveSession()).id } }),
  },
  setLiveGroups: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.liveSession()).id },
      body: { groups: [{ memberStudentIds: [at.tenant.studentId] }] },
    }),
  },
  getLiveGroups: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.liveSession()).id } }),
  },
  setLiveGroupLeader: {
    slots: ['tenant'],
    request: async ({ at }) => {
      const { id, groupId } = await at.tenant.fresh.groupedLiveSession();
      return { params: { id, groupId }, body: { studentId: at.tenant.studentId } };
    },
  },
  pollLiveSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      query: { cursor: '0' },
    }),
  },
  recordLiveEvents: {
    slots: ['tenant'],
    request: async ({ at, caller }) => ({
      params: { id: (await at.tenant.fresh.taughtLiveSession()).id },
      body: {
        events: [
          { clientEventId: randomUUID(), type: caller?.primaryPersona === 'STUDENT' ? 'heartbeat' : 'segment_started' },
        ],
      },
    }),
  },
  listLiveEvents: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.taughtLiveSession()).id } }),
  },
};
