// Selects what a revert compares and writes, and locks it.
import type { Trx } from '#core/platform/db.ts';
import { lockRoster } from '../lock-roster.ts';
import { ofRun } from './changes.ts';
import type { LmsSyncRun } from './rows.ts';

const accounts = `select c.user_id from lms_change c where ${ofRun}`;

const classes = `
  select distinct k.id from lms_change c
  cross join lateral (values ((c.before ->> 'classId')::bigint), ((c.after ->> 'classId')::bigint)) as k (id)
  where ${ofRun} and k.id is not null`;

const students = `select c.user_id from lms_change c where ${ofRun} and c.after ->> 'role' = 'student'`;

/** Returns grade and school year of the classes that are not archived. */
export const lockForRevert = (
  trx: Trx,
  { organizationId, id: runId }: LmsSyncRun,
): Promise<ReadonlyMap<number, string>> => lockRoster(trx, { organizationId, runId }, { accounts, classes, students });
