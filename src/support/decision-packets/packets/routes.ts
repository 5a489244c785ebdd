// Routes of packets: open, assemble, approve, reject, list, and print for a meeting.
import Type from 'typebox';
import { created, type Disclosure, ok } from '#core/http/answers.ts';
import { cuidParams, idParams, named } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { requestOwner } from '#core/platform/pdf/printer.ts';
import { studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { teachersAndAdminsOnly, underLock } from '../../interventions/index.ts';
import { packetDocument, requireAssembled } from '../document/read.ts';
import { listPackets } from '../rows/queries.ts';
import type { DecisionPacket } from '../rows/store.ts';
import { approve } from './approve.ts';
import { assemble } from './assemble.ts';
import { openPacket } from './open.ts';
import { studentNow } from './packet-context.ts';
import { reject } from './reject.ts';
import {
  ApprovalBody,
  AssemblyBody,
  OpeningBody,
  PacketList,
  PacketOrHalt,
  PacketQuery,
  PacketView,
  RejectionBody,
} from './schemas.ts';
import { packetInReach, packetToDecide } from './scopes.ts';
import { packetView, packetViews, storedGates } from './views.ts';

const common = { tag: 'decision-packets', allow: ['VIEW_OWN_CLASSES'] } as const;
const writing = { ...common, method: 'post', demo: 'blocked', errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'] } as const;
const reading = { ...common, method: 'get', demo: 'read', discloses: ['packet'] } as const;

const readOf = ({ id, organizationId }: DecisionPacket): Disclosure => ({ document: 'packet', id, organizationId });

const Pdf = named('Pdf', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/pdf' }));

export const packetRoutes = [
  route({
    ...writing,
    path: '/api/students/:id/decision-packets',
    operation: 'openDecisionPacket',
    summary: 'Open a packet about a student’s tier; one of a kind at a time',
    scope: studentInReach(teachersAndAdmins),
    params: idParams,
    body: OpeningBody,
    answers: { 201: PacketView },
    run: async (ctx) => {
      const { organizationId, id: studentId } = ctx.scope;
      const call = await underLock(ctx, { organizationId, studentId });
      const { trx, actor, body, now } = call;
      const student = await studentNow(call, { organizationId, studentId });
      const opening = { organizationId, studentId, reviewType: body.reviewType, openedBy: actor.userId, now };
      return created(await packetView(call, await openPacket(trx, opening, student)));
    },
  }),
  route({
    ...writing,
    path: '/api/decision-packet-workflows/assemble',
    operation: 'assembleDecisionPacket',
    summary: 'Freeze evidence and recommendation in a packet, which may be opened with it',
    scope: teachersAndAdminsOnly,
    body: AssemblyBody,
    answers: { 200: PacketOrHalt, 201: PacketView },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: assemble,
  }),
  route({
    ...writing,
    path: '/api/decision-packet-workflows/:id/approve',
    operation: 'approveDecisionPacket',
    summary: 'Decide on a packet, or defer it; past all gates the tier moves and the packet closes',
    scope: packetToDecide,
    params: cuidParams,
    body: ApprovalBody,
    answers: { 200: PacketOrHalt },
    run: approve,
  }),
  route({
    ...writing,
    path: '/api/decision-packet-workflows/:id/reject',
    operation: 'rejectDecisionPacket',
    summary: 'Close a packet without a decision, with a reason',
    scope: packetToDecide,
    params: cuidParams,
    body: RejectionBody,
    answers: { 200: PacketView },
    run: async (ctx) => ok(await reject(ctx)),
  }),
  route({
    ...reading,
    path: '/api/decision-packet-workflows',
    operation: 'listDecisionPackets',
    summary: 'Packets of students in reach, oldest first',
    scope: ownOrganization,
    query: PacketQuery,
    answers: { 200: PacketList },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => {
      const { items, nextCursor } = await listPackets(ctx.trx, ctx.actor, ctx.query);
      return { ...ok({ items: await packetViews(ctx, items), nextCursor }), discloses: items.map(readOf) };
    },
  }),
  route({
    ...reading,
    path: '/api/decision-packet-workflows/:id',
    operation: 'getDecisionPacket',
    summary: 'One packet with its evidence and the state of its gates',
    scope: packetInReach,
    params: cuidParams,
    answers: { 200: PacketView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async (ctx) => ({ ...ok(await packetView(ctx, ctx.scope.packet)), discloses: [readOf(ctx.scope.packet)] }),
  }),
  route({
    ...reading,
    path: '/api/decision-packet-workflows/:id/document',
    operation: 'getDecisionPacketDocument',
    heavy: true,
    summary: 'A packet as a sheet for the meeting (PDF, A4): what was frozen in it',
    scope: packetInReach,
    params: cuidParams,
    answers: { 200: Pdf },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, actor, scope: { packet } }) =>
      packetDocument(services, trx, packet, await storedGates({ services, trx }, packet), requestOwner(actor)),
    run: async ({ scope, prepared }) => {
      requireAssembled(scope.packet);
      return { ...ok(prepared), headers: { 'content-type': 'application/pdf' }, discloses: [readOf(scope.packet)] };
    },
  }),
];
