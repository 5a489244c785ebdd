// The data room of a student, and decision packets.
import type { Entries } from '../../requests/entry.ts';

/** Principals never write about tiers. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const decisionPacketEntries: Entries = {
  getDataRoom: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listDataRoomEvidence: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.studentId }, query: { type: 'alert', from: '2026-01-01' } }),
  },
  openDecisionPacket: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.student() },
      body: { reviewType: 'tier_escalation' },
    }),
  },
  /** A student who was never measured: 200, and no row is written. */
  assembleDecisionPacket: {
    slots: ['tenant'],
    refusedFirst: principals,
    request: async ({ at }) => ({ body: { packetId: await at.tenant.fresh.packet() } }),
  },
  /** A draft cannot be approved. */
  approveDecisionPacket: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.packet() }, body: { decision: 'maintain' } }),
    expect: { SUPER: 409, ADMIN: 409, TEACHER: 409 },
  },
  rejectDecisionPacket: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.packet() },
      body: { reasonCode: 'Duplicate_Review' },
    }),
  },
  listDecisionPackets: {
    slots: ['filter'],
    request: ({ at }) => ({
      query: {
        status: 'draft',
        reviewType: 'tier_escalation',
        classId: at.filter.classId,
        schoolId: at.filter.schoolId,
      },
    }),
  },
  listOverdueWork: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { classId: at.filter.classId, schoolId: at.filter.schoolId } }),
  },
  getClassWeek: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { id: at.tenant.classId }, query: { on: '2026-01-14' } }),
  },
  getDecisionPacket: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.packet() } }),
  },
  getDecisionPacketDocument: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.closedPacket() } }),
  },
};
