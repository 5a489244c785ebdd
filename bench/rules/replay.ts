// Replays of stored runs, as a range that a person requests: their speed, and the time of each part.

import { recomputeStudents } from '../../src/assessment/skill-status/index.ts';
import type { ReplayJob } from '../../src/backoffice/workbench/replays/input.ts';
import { replayModel } from '../../src/backoffice/workbench/replays/model.ts';
import { startReplay } from '../../src/backoffice/workbench/replays/start.ts';
import { runJob } from '../../src/core/long-jobs/runner.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { assertEqual } from '../harness/measure.ts';
import { residentMiB } from '../harness/processes.ts';
import type { Row, Section } from '../harness/report.ts';
import { buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';
import { replayParts } from './replay-parts.ts';
import { copyRuns } from './run-copies.ts';

/** Students with measurements and a run of their own; all other runs are copies of theirs. */
const realStudents = 250;
/** Enough runs to start threads. */
const warmUpRuns = 500;
const always = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

/** `sizes` are the numbers of replayed runs, ascending. */
export const benchReplay = (sizes: readonly number[], students = realStudents): Promise<Section> =>
  withService((service) => measure(service, sizes, students), { workers: 0 });

async function measure(service: Service, sizes: readonly number[], students: number): Promise<Section> {
  const school = await buildSchool(service, students, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await copyRuns(service, school, warmUpRuns);
  await replayAll(service, school);
  const rows: Row[] = [];
  for (const size of sizes) {
    await copyRuns(service, school, size);
    const { elapsedMs, counts } = await replayAll(service, school);
    assertEqual(`the replay of ${size} runs`, [counts.same, counts.inputsDiffer, counts.rulesDiffer], [size, 0, 0]);
    const rate = Math.round((size * 1_000) / elapsedMs).toLocaleString('en');
    rows.push({
      contender: `${size.toLocaleString('en')} runs`,
      result: `${rate} results/s (${(elapsedMs / 1_000).toFixed(2)} s)`,
      aim: '≥ 1,000 results/s',
    });
  }
  rows.push({ contender: '· resident memory afterwards', result: `${residentMiB(process.pid)} MiB` });
  rows.push(...(await replayParts(service, school)));
  return {
    title: 'Replay of stored runs',
    note: `Runs of ${students} students with 100 responses each, and copies of them; the job in the threads of one process beside PostgreSQL and an idle API, after one replay to warm up. Asserted: every run comes out the same. Below: what one run costs, part by part, in steps of 100.`,
    rows,
  };
}

/** Requests all runs of the organization and runs the job in this process. */
async function replayAll({ owner, services }: Service, { organizationId }: School) {
  const jobId = await inContext(services.db, 'SUPER', (trx) =>
    startReplay(trx, { scope: { organizationId }, ...always }, 1, services.clock.now()),
  );
  const from = performance.now();
  await runJob(services, [replayModel], { id: jobId, organizationId });
  const elapsedMs = performance.now() - from;
  const job: ReplayJob = await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ id: jobId }).first());
  if (job.report === null) throw new Error(`the job is ${job.state}: ${job.issue}`);
  return { elapsedMs, counts: job.report.counts };
}
