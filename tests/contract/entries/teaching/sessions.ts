// Blueprint sessions: made, changed, answered.
import { randomUUID } from 'node:crypto';
import type { Entries } from '../../requests/entry.ts';

/** They never write about teaching. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

const answer = () => ({ clientResponseId: randomUUID(), itemRef: 'item-1', selectedOptionIndex: 0 });

export const sessionEntries: Entries = {
  createSessionFromBlueprint: {
    slots: ['place', 'content'],
    refusedFirst: principals,
    request: async ({ at }) => ({
      body: {
        ...{ blueprintId: await at.place.fresh.blueprint(), classId: at.place.classId },
        ...{ recipientStudentIds: [at.content.studentId], deliveryMode: 'blended', scheduledOn: '2026-01-13' },
      },
    }),
  },
  listRecommendedSessions: { slots: ['place'], request: ({ at }) => ({ query: { classId: at.place.classId } }) },
  getSession: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('draft') } }),
  },
  editSession: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('draft') },
      body: { scheduledOn: '2026-01-14' },
    }),
  },
  /** The student was never measured: nobody is left. */
  acceptSession: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('draft') }, body: {} }),
    expect: { SUPER: 409, ADMIN: 409, TEACHER: 409 },
  },
  cancelSession: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('accepted') },
      body: { reasonCode: 'Staff_Absent' },
    }),
  },
  /** Who is included stays so. */
  includeSessionRecipient: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('draft'), studentId: at.place.studentId },
      body: {},
    }),
  },
  distributeSessionOnline: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('accepted') }, body: {} }),
  },
  listSessionAudit: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('draft') } }),
  },
  listAssignedSessions: {},
  /** A session of others is not there. */
  submitSessionResponses: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('distributed') },
      body: { responses: [answer()] },
    }),
    expect: { 'STUDENT elsewhere': 404 },
  },
  getSessionOfflinePack: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.session('accepted') } }),
  },
  submitOfflineResponses: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.session('distributed') },
      body: { responses: [{ studentId: at.place.studentId, ...answer() }] },
    }),
  },
};
