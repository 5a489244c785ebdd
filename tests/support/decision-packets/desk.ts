// Measured students in tiers and the people who decide on packets, over HTTP.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildUser, signIn, type UserRow } from '../../harness/factories.ts';
import { decodingNeed, type Letters, type Room, useClassroom } from '../interventions/classroom.ts';
import { factsOf } from './rows.ts';

export type Json = Record<string, unknown>;

export interface Evidence {
  readonly evidenceId: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly valueCode: string;
}

export interface Packet extends Json {
  readonly packetId: string;
  readonly status: string;
  readonly evidence: readonly Evidence[];
  readonly evidenceHash: string | null;
  readonly gates: readonly { readonly gateId: string; readonly met: boolean | null; readonly issue: string | null }[];
  readonly recommendation: Json | null;
}

export interface Refused {
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Status, code and issue of a refusal. */
export const summary = ({ status, body }: Reply<unknown>): readonly unknown[] => {
  const { code, details } = body as Refused;
  return code === undefined ? [status] : [status, code, details?.[0]?.issue ?? null];
};

export function useDesk<Context>(test: Test<Context>) {
  const classroom = useClassroom(test);
  const { app, http } = classroom;
  const { owner } = app.database;
  const as = async (user: UserRow) => ({ token: await signIn(app, user) });
  const post = async <Body = Packet & Refused>(user: UserRow, path: string, body: object): Promise<Reply<Body>> =>
    http.post<Body>(path, body, await as(user));
  const get = async <Body = Packet & Refused>(user: UserRow, path: string): Promise<Reply<Body>> =>
    http.get<Body>(path, await as(user));
  const packets = '/api/decision-packet-workflows';
  return {
    ...{ classroom, app, owner, post, get },
    /** Measured, by default with a need in decoding, in the first tier. */
    async student(room: Room, letters: Letters = decodingNeed): Promise<UserRow> {
      const student = await classroom.student(room);
      await classroom.measure([student], letters);
      return student;
    },
    facts: (student: UserRow) => factsOf(owner, student as UserRow & { organizationId: string }),
    /** Of the organization; `seats`: roles of the administrator. */
    admin: ({ organizationId }: Room, seats: readonly string[] = []): Promise<UserRow> =>
      buildUser(owner, 'ADMIN', { organizationId, seats: [...seats] }),
    open: (user: UserRow, student: UserRow, reviewType: string) =>
      post(user, `/api/students/${student.id}/decision-packets`, { reviewType }),
    assemble: (user: UserRow, body: object) => post(user, `${packets}/assemble`, body),
    approve: (user: UserRow, id: string, body: object) => post(user, `${packets}/${id}/approve`, body),
    reject: (user: UserRow, id: string, reasonCode: string) => post(user, `${packets}/${id}/reject`, { reasonCode }),
    packet: async (user: UserRow, id: string): Promise<Packet> => {
      const { status, body } = await get(user, `${packets}/${id}`);
      assert.is(status, 200, JSON.stringify(body));
      return body;
    },
    list: (user: UserRow, query = '') =>
      get<{ items: readonly Packet[]; nextCursor: string | null }>(user, `${packets}${query}`),
    /** The stored row. */
    row: async (id: string): Promise<Json> => owner('decision_packet').where({ id }).first(),
    rowsOf: async (student: UserRow): Promise<Json[]> =>
      owner('decision_packet').where({ studentId: student.id }).orderBy('openedAt'),
  };
}

export type Desk = ReturnType<typeof useDesk>;

/** Returns the created object; fails for any other response. */
export function made<Body>({ status, body }: Reply<Body>, expected = 201): Body {
  assert.is(status, expected, JSON.stringify(body));
  return body;
}
