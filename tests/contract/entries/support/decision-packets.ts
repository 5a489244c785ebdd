// The data room of a student, and packets.
import type { Entries } from '../../requests/entry.ts';

/** They never write about tiers. */
const principals = ['PRINCIPAL', 'PRINCIPAL elsewhere'] as const;

export const decisionPacketEntries: Entries = {
  getDataRoom: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listDataRoomEvidence: {
    slots: ['place'],
    request: ({ at }) => ({ params: { id: at.place.studentId }, query: { type: 'alert', from: '2026-01-01' } }),
  },
  openDecisionPacket: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.student() },
      body: { reviewType: 'tier_escalation' },
    }),
  },
  /** Nothing is decided about a student who was never measured: 200, and nothing is written. */
  assembleDecisionPacket: {
    slots: ['place'],
    refusedFirst: principals,
    request: async ({ at }) => ({ body: { packetId: await at.place.fresh.packet() } }),
  },
  /** A draft is not decided on. */
  approveDecisionPacket: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.packet() }, body: { decision: 'maintain' } }),
    expect: { SUPER: 409, ADMIN: 409, TEACHER: 409 },
  },
  rejectDecisionPacket: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.packet() },
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
  getDecisionPacket: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.packet() } }),
  },
  getDecisionPacketDocument: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.closedPacket() } }),
  },
};
