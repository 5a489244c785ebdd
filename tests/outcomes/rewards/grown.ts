// A class on a test file's own database whose growth is measured, evaluated and relayed by the service itself.
import type { Test } from 'uvu';
import type { Services } from '#core/module/services.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { emissionJobs } from '#outcomes/rewards/emission/jobs.ts';
import { serveMastery } from '#outcomes/rewards/emission/serve.ts';
import { relayAll } from '../../../workers/relay.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { Letters } from '../../support/interventions/classroom.ts';
import { type RtiRoom, useRtiRoom } from '../../support/rti/rti-world.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';

type Stored = Readonly<Record<string, unknown>>;

export interface Evaluator {
  /** Reactions to everything that has happened so far. Answers the jobs that they ask for. */
  relay(): Promise<Job[]>;
  /** The jobs, as a worker does them. */
  source(jobs: readonly Job[]): Promise<void>;
}

export interface Grown extends RtiRoom, Evaluator {
  /** Measures now and runs everything that follows. */
  grow(students: readonly UserRow[], letters: Letters): Promise<void>;
  events(student: UserRow): Promise<Stored[]>;
  /** Kinds with what they are about. */
  told(student: UserRow, topic: string): Promise<Record<string, unknown>[]>;
  kinds(student: UserRow): Promise<string[]>;
  rows(table: string, student: UserRow): Promise<Stored[]>;
}

export function evaluatorOf(services: Services): Evaluator {
  const { log } = capturedLog();
  return {
    async relay() {
      const jobs: Job[] = [];
      const add = async (more: readonly Job[]) => void jobs.push(...more);
      await relayAll(services, { ...noQueues, add }, emissionJobs.reactions ?? [], log);
      return jobs;
    },
    async source(jobs) {
      for (const { data } of jobs) {
        const studentIds = String(data.studentIds).split(',').map(Number);
        await serveMastery(services, String(data.organizationId), studentIds);
      }
    },
  };
}

export function useGrown<Context>(test: Test<Context>): Grown {
  const room = useRtiRoom(test);
  const { owner } = room.app.database;
  const rows = (table: string, { id: studentId }: UserRow): Promise<Stored[]> =>
    owner(table).where({ studentId }).orderBy('id');
  const grown: Grown = {
    ...room,
    ...evaluatorOf(room.services),
    rows,
    async grow(students, letters) {
      await room.measure(students, letters);
      await room.evaluate(...students);
      await grown.source(await grown.relay());
    },
    events: (student) => rows('mastery_event', student),
    kinds: async (student) =>
      (await rows('mastery_event', student)).map(({ sourceKind, subSkillCode, domainCode }) =>
        [sourceKind, subSkillCode ?? domainCode ?? ''].join(' ').trim(),
      ),
  };
  return grown;
}
