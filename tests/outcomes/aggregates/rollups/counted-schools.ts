// Schools whose counts are kept, on a test file's own database: what happens goes through the service, the relay and the worker.
import type { Test } from 'uvu';
import { rollupJobs } from '#outcomes/aggregates/rollups/jobs.ts';
import { refreshOrganization } from '#outcomes/aggregates/rollups/refresh.ts';
import { relayAll } from '../../../../workers/relay.ts';
import { type Classroom, useClassroom } from '../../../support/interventions/classroom.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';

export interface TileRow {
  readonly day: string;
  readonly classId: number;
  readonly tileCode: string;
  readonly students: number;
  readonly meets: number;
  readonly approaching: number;
  readonly below: number;
  readonly severe: number;
  readonly moreData: number;
}

export interface ClassCountRow {
  readonly day: string;
  readonly classId: number;
  readonly schoolId: string;
  readonly students: number;
  readonly measured: Readonly<Record<string, number>>;
  readonly sufficient: number;
  readonly insufficient: number;
  readonly contextual: number;
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export interface Counted {
  readonly classes: readonly ClassCountRow[];
  readonly tiles: readonly TileRow[];
}

export interface CountedSchools extends Classroom {
  /** Reactions to all that has happened, and then the classes that they ask for. */
  catchUp(organizationId: string): Promise<void>;
  /** Reactions alone. */
  relay(): Promise<void>;
  /** The present rows. */
  counted(organizationId: string): Promise<Counted>;
  waiting(organizationId: string): Promise<number[]>;
}

export function useCountedSchools<Context>(test: Test<Context>): CountedSchools {
  const classroom = useClassroom(test);
  const { owner } = classroom.app.database;
  const { log } = capturedLog();
  const relay = () => relayAll(classroom.services, noQueues, rollupJobs.reactions ?? [], log);
  const present = (table: string, organizationId: string) =>
    owner(`${table} as d`)
      .join('org_rollup as r', (on) => on.on('r.organizationId', 'd.organizationId').andOn('r.day', 'd.day'))
      .where({ 'd.organizationId': organizationId })
      .select('d.*');
  return {
    ...classroom,
    relay: async () => void (await relay()),
    async catchUp(organizationId) {
      await relay();
      await refreshOrganization(classroom.services, { organizationId });
    },
    async counted(organizationId) {
      return {
        classes: await present('org_daily_class', organizationId).orderBy('classId'),
        tiles: await present('org_daily_rollup', organizationId).orderBy(['classId', 'tileCode']),
      };
    },
    async waiting(organizationId) {
      const rows: { classId: number }[] = await owner('rollup_request')
        .where({ organizationId })
        .whereRaw('requested_seq > processed_seq')
        .orderBy('classId')
        .select('classId');
      return rows.map(({ classId }) => classId);
    },
  };
}
