// Lessons: creating, changing, responding.
import { randomUUID } from 'node:crypto';
import type { Entries } from '../../requests/entry.ts';

/** Principals never write about teaching. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

const answer = () => ({ clientResponseId: randomUUID(), itemRef: 'item-1', selectedOptionIndex: 0 });

export const sessionEntries: Entries = {
  createSessionFromBlueprint: {
    slots: ['tenant', 'content'],
    refusedFirst: principals,
    request: async ({ at }) => ({
      body: {
        ...{ blueprintId: await at.tenant.fresh.blueprint(), classId: at.tenant.classId },
        ...{ recipientStudentIds: [at.content.studentId], deliveryMode: 'blended', scheduledOn: '2026-01-13' },
      },
    }),
  },
  listRecommendedSessions: { slots: ['tenant'], request: ({ at }) => ({ query: { classId: at.tenant.classId } }) },
  getSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.session('draft') } }),
  },
  editSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.session('draft') },
      body: { scheduledOn: '2026-01-14' },
    }),
  },
  /** The student was never measured, so no recipient is left. */
  acceptSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.session('draft') }, body: {} }),
    expect: { SUPER: 409, ADMIN: 409, TEACHER: 409 },
  },
  cancelSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.session('accepted') },
      body: { reasonCode: 'Staff_Absent' },
    }),
  },
  /** An included recipient stays included. */
  includeSessionRecipient: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.session('draft'), studentId: at.tenant.studentId },
      body: {},
    }),
  },
  distributeSessionOnline: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.session('accepted') }, body: {} }),
  },
  listSessionAudit: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.session('draft') } }),
  },
  listAssignedSessions: {},
  /** Another caller's lesson is not found. */
  submitSessionResponses: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.session('distributed') },
      body: { responses: [answer()] },
    }),
    expect: { 'STUDENT elsewhere': 404 },
  },
  getSessionOfflinePack: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.session('accepted') } }),
  },
  submitOfflineResponses: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.session('distributed') },
      body: { responses: [{ studentId: at.tenant.studentId, ...answer() }] },
    }),
  },
};
