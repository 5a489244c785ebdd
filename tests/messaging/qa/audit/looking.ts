// Runs the checks of a night and of a minute, and reads their findings.
import type { Test } from 'uvu';
import { openQueues, type Queues } from '#core/platform/queue/queue.ts';
import { auditOrganization } from '#messaging/qa/audit/run.ts';
import { runRuntimeChecks } from '#messaging/qa/runtime-checks.ts';
import type { TestApp } from '../../../harness/http.ts';

/** A finding: a row of the log, or an announcement. */
export interface Reported {
  readonly organizationId: string | null;
  readonly code: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly ruleVersion?: string | null;
}

export interface Looking {
  /** Opened before the file's first test. */
  readonly queues: () => Queues;
  /** The audit of each organization, then the checks of a minute. */
  lookAt(organizationIds: readonly string[]): Promise<void>;
  lookEverywhere(): Promise<void>;
  /** The findings, of one check if it is named. */
  foundOf(code?: string): Promise<Reported[]>;
}

export function useLooking<Context>(test: Test<Context>, app: TestApp): Looking {
  const { owner, appUrl } = app.database;
  let opened: Queues | undefined;
  test.before(() => {
    opened = openQueues({ log: app.services.log, postgres: { connectionString: appUrl } });
  });
  test.after(() => opened?.close());
  const queues = () => opened ?? notOpened();
  const lookAt = async (organizationIds: readonly string[]) => {
    for (const id of organizationIds) await auditOrganization(app.services, id);
    await runRuntimeChecks(app.services, queues());
  };
  return {
    queues,
    lookAt,
    lookEverywhere: async () => lookAt(await owner('organization').pluck<string[]>('id')),
    foundOf: async (code) => [
      ...(await owner('platform_alert')
        .where({ kind: 'qa', ...(code && { code }) })
        .select('organizationId', 'code', 'subjectType', 'subjectId', 'ruleVersion')),
      ...(await owner('alert_announcement')
        .where({ severity: 'low', ...(code && { code }) })
        .select('organizationId', 'code', 'subjectType', 'subjectId')),
    ],
  };
}

function notOpened(): never {
  throw new Error('The queues open before the first test; looks belong inside tests.');
}
