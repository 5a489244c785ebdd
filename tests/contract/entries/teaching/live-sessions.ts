// Sessions as they are taught: made, joined, controlled, asked about.
import { randomUUID } from 'node:crypto';
import { buildBlueprint } from '../../../teaching/lesson-blueprints/rows.ts';
import type { Entries } from '../../requests/entry.ts';

/** A class stands in the body; they never teach one. */
const noTeachers = ['SUPER', 'ADMIN', 'PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const liveSessionEntries: Entries = {
  createLiveSession: {
    slots: ['place'],
    refusedFirst: noTeachers,
    request: ({ at }) => ({ body: { classId: at.place.classId } }),
  },
  joinLiveSession: {
    slots: ['place'],
    request: async ({ at }) => ({ body: { joinCode: (await at.place.fresh.liveSession()).joinCode } }),
  },
  getLiveSession: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.liveSession()).id } }),
  },
  startLiveSession: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.liveSession()).id } }),
  },
  controlLiveSession: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.liveSession()).id },
      body: { action: 'cancel', expectedVersion: 0 },
    }),
  },
  setLivePlaylist: {
    slots: ['place'],
    request: async ({ at, app }) => ({
      params: { id: (await at.place.fresh.liveSession()).id },
      body: { blueprintId: await buildBlueprint(app.database.owner), itemRefs: ['item-1'] },
    }),
  },
  getLivePlaylist: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.liveSession()).id } }),
  },
  setLiveGroups: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.liveSession()).id },
      body: { groups: [{ memberStudentIds: [at.place.studentId] }] },
    }),
  },
  getLiveGroups: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.liveSession()).id } }),
  },
  setLiveGroupLeader: {
    slots: ['place'],
    request: async ({ at }) => {
      const { id, groupId } = await at.place.fresh.groupedLiveSession();
      return { params: { id, groupId }, body: { studentId: at.place.studentId } };
    },
  },
  pollLiveSession: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      query: { cursor: '0' },
    }),
  },
  recordLiveEvents: {
    slots: ['place'],
    request: async ({ at, caller }) => ({
      params: { id: (await at.place.fresh.taughtLiveSession()).id },
      body: {
        events: [
          { clientEventId: randomUUID(), type: caller?.primaryPersona === 'STUDENT' ? 'heartbeat' : 'segment_started' },
        ],
      },
    }),
  },
  listLiveEvents: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.taughtLiveSession()).id } }),
  },
};
