// The people who decide on tiers, and students with deliveries, readings and decisions, all over HTTP.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildUser, signIn, type UserRow } from '../../harness/factories.ts';
import { type Pupil, wordsWrong } from '../interventions/workflow/draft-bodies.ts';
import { type Deciding, useDeciding } from '../rti/decisions/world.ts';
import { type Json, made, type Packet, type Refused, summary } from './desk.ts';

/** Seven weeks before the Sunday of the week in which the tests begin. */
export const sevenWeeksAgo = '2025-11-23';

interface Reply {
  readonly status: number;
  readonly body: Packet & Refused;
}

export interface Council extends Deciding {
  /** An ADMIN of the pupil's organization. */
  admin(pupil: Pupil, seats?: readonly string[]): Promise<UserRow>;
  /** An ADMIN who is the specialist. */
  specialist(pupil: Pupil): Promise<UserRow>;
  open(user: UserRow, pupil: Pupil, reviewType: string): Promise<Reply>;
  assemble(user: UserRow, body: object): Promise<Reply>;
  approve(user: UserRow, packetId: string, body: object): Promise<Reply>;
  reject(user: UserRow, packetId: string, reasonCode: string): Promise<Reply>;
  packet(user: UserRow, packetId: string): Promise<Packet>;
  /** A new packet under review. Returns its id. */
  assembled(user: UserRow, pupil: Pupil, reviewType: string): Promise<string>;
  /** Asserts that an approval is refused with these codes and nothing was written. */
  refused(pupil: Pupil, user: UserRow, packetId: string, body: object, words: readonly unknown[]): Promise<void>;
  movements(pupil: Pupil): Promise<Json[]>;
  /** Decisions, movements, alerts, packets and events, to be compared after a refusal. */
  everything(pupil: Pupil): Promise<Json>;
  /** In the second tier for seven weeks, with an assignment for decoding and falling readings. */
  supported(delivered: readonly number[]): Promise<Pupil>;
}

export function useCouncil<Context>(test: Test<Context>): Council {
  const deciding = useDeciding(test);
  const { plans, evaluate, recommendation, commit, weekly, reads } = deciding;
  const { app } = plans.shell;
  const { owner } = app.database;
  const packets = '/api/decision-packet-workflows';
  const post = async (user: UserRow, path: string, body: object): Promise<Reply> =>
    app.post(path, body, { token: await signIn(app, user) });
  const rows = (table: string, { organizationId, id }: Pupil): Promise<Json[]> =>
    inContext(owner, { organizationId }, (trx) => trx(table).where({ organizationId, studentId: id }).orderBy('id'));
  const council: Council = {
    ...deciding,
    admin: ({ organizationId }, seats = []) => buildUser(owner, 'ADMIN', { organizationId, seats: [...seats] }),
    specialist: (pupil) => council.admin(pupil, ['HIGH_INTENSITY_SPECIALIST']),
    open: (user, { id }, reviewType) => post(user, `/api/students/${id}/decision-packets`, { reviewType }),
    assemble: (user, body) => post(user, `${packets}/assemble`, body),
    approve: (user, id, body) => post(user, `${packets}/${id}/approve`, body),
    reject: (user, id, reasonCode) => post(user, `${packets}/${id}/reject`, { reasonCode }),
    async packet(user, id) {
      const reply = await app.get<Packet>(`${packets}/${id}`, { token: await signIn(app, user) });
      assert.is(reply.status, 200, JSON.stringify(reply.body));
      return reply.body;
    },
    assembled: async (user, pupil, reviewType) =>
      made(await council.assemble(user, { studentId: pupil.id, reviewType })).packetId,
    async refused(pupil, user, packetId, body, words) {
      const before = await council.everything(pupil);
      const reply = await council.approve(user, packetId, body);
      assert.equal(summary(reply), words, JSON.stringify(reply.body));
      assert.equal(await council.everything(pupil), before);
    },
    movements: (pupil) => rows('tier_movement', pupil),
    everything: async (pupil) => ({
      ...(await deciding.written(pupil)),
      packets: await rows('decision_packet', pupil),
    }),
    async supported(delivered) {
      const pupil = await plans.pupil(wordsWrong);
      await evaluate(pupil);
      const { decision } = await recommendation(pupil);
      const reason = decision === 'escalate' ? {} : { overrideCode: 'Rti_Evidence_Conflict_01' };
      const reply = await commit(pupil, { decision: 'escalate', effectiveOn: sevenWeeksAgo, ...reason });
      assert.is(reply.status, 201, JSON.stringify(reply.body));
      await plans.given(pupil, { startOn: sevenWeeksAgo });
      await weekly(pupil, sevenWeeksAgo, delivered);
      await reads(pupil, { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 });
      await reads(pupil, { '2025-12-03': 13, '2025-12-10': 12, '2025-12-17': 11 });
      await evaluate(pupil);
      return pupil;
    },
  };
  return council;
}

/** 18 of 21 sessions. */
export const enough = [3, 3, 3, 3, 3, 3, 0];
/** 16 of 21 sessions. */
export const tooLittle = [3, 3, 3, 3, 3, 1, 0];
