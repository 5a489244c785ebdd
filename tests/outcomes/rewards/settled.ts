// A class whose readings, probes and assignments run through the whole service: over HTTP into the outbox, through
// every reaction and job.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { jobsOf } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { relayAll } from '../../../workers/relay.ts';
import { teacher, timeUp } from '../../assessment/measurement/fluency/teacher.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { Room } from '../../support/interventions/classroom.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { type Grown, useGrown } from './grown.ts';

/** Longer than requests and candidates wait before their sweeps look at them. */
const sweptAfterMs = 11_000;

export interface Settled extends Grown {
  /** Everything that follows from what has happened, sweeps of evaluations and of growth included. Default: with the items of the engine's tests. */
  settle(services?: Services): Promise<void>;
  /** A reading aloud of so many right words in a minute. Answers its id. */
  read(room: Room, student: UserRow, words: number, passageId?: string): Promise<string>;
  /** From paper. Answers its id. */
  probe(room: Room, student: UserRow, day: string, words: number, passageId: string): Promise<number>;
  /** Kind, natural key, entity, session and what was reached, in the order of the ledger. */
  minted(student: UserRow): Promise<unknown[][]>;
  waiting(student: UserRow): Promise<number>;
}

export function useSettled<Context>(test: Test<Context>): Settled {
  const world = useGrown(test);
  const { app } = world;
  const { log } = capturedLog();
  return {
    ...world,
    async settle(services = world.services) {
      const { reactions, handlers, schedules } = jobsOf(services.capabilities);
      const sweeps = schedules.filter(({ name }) => ['rti-evaluation-sweep', 'mastery-sweep'].includes(name));
      let jobs: Job[] = [];
      const queues = { ...noQueues, add: async (more: readonly Job[]) => void jobs.push(...more) };
      const serve = async () => {
        const asked = jobs;
        jobs = [];
        for (const { queue, data } of asked) {
          await handlers
            .find((one) => one.queue === queue)
            ?.handle({ ...services, queues }, data, new AbortController().signal);
        }
        return asked.length;
      };
      do {
        while ((await relayAll(services, queues, reactions, log)) + (await serve()) > 0);
        app.clock.advance(sweptAfterMs);
        for (const sweep of sweeps) await sweep.run(services, queues);
      } while (jobs.length > 0);
    },
    async read({ teacher: user }, { id: studentId }, words, passageId) {
      const hands = teacher(app, user);
      const started = await hands.start({ studentId, ...(passageId !== undefined && { passageId }) });
      assert.is(started.status, 201, JSON.stringify(started.body));
      const { assessmentId } = started.body;
      const stopped = await hands.stop(assessmentId, timeUp(words - 1));
      assert.is(stopped.status, 200, JSON.stringify(stopped.body));
      return assessmentId;
    },
    async probe({ teacher: user }, { id: studentId }, administeredOn, words, passageId) {
      const reading = { studentId, passageId, administeredOn, wordsAttempted: words, errors: 0, elapsedSeconds: 60 };
      const { status, body } = await teacher(app, user).probe(reading);
      assert.is(status, 201, JSON.stringify(body));
      return body.probeId;
    },
    minted: async (student) =>
      (await world.events(student)).map(({ sourceKind, naturalKey, sourceType, sourceId, sessionKey, reached }) => [
        ...[sourceKind, naturalKey, sourceType, sourceId, sessionKey, reached],
      ]),
    waiting: async ({ id: studentId }) => (await app.database.owner('mastery_candidate').where({ studentId })).length,
  };
}
