// Impact simulations of whole organizations: their speed, its growth with the number of students, and the time of each part.

import { capabilities } from '../../src/app/capabilities.ts';
import { recomputeStudents, simulation } from '../../src/assessment/skill-status/index.ts';
import { type ChangeRow, documentsOf, findChange } from '../../src/backoffice/workbench/changes/store.ts';
import { compareStudent } from '../../src/backoffice/workbench/impact/engine/compare-student.ts';
import { emptyPosition } from '../../src/backoffice/workbench/impact/engine/position.ts';
import { type RulePair, rulePairFrom, simulationParts } from '../../src/backoffice/workbench/impact/rule-pair.ts';
import { startImpact, usableChange } from '../../src/backoffice/workbench/impact/start.ts';
import { impactModel } from '../../src/backoffice/workbench/impact/steps/model.ts';
import { runJob } from '../../src/core/long-jobs/runner.ts';
import type { JobRow } from '../../src/core/long-jobs/store.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { newId } from '../../src/core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '../../src/core/platform/pure/canonical-json.ts';
import {
  type DocumentName,
  documentName,
  type RuleDocument,
  type TableDocument,
} from '../../src/rules/rulesets/index.ts';
import { assertEqual, sideBySide } from '../harness/measure.ts';
import { cpuMs, residentMiB } from '../harness/processes.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';
import { copyStudents } from './impact-copies.ts';

/** Divides every size, so that each student is copied equally often. */
const realStudents = 250;
const askedStudents = 1_000;
const aim = '≥ 2,000 students/s';

export const benchImpact = (sizes: readonly number[]): Promise<Section> =>
  withService((service) => measure(service, sizes), { workers: 0 });

async function measure(service: Service, sizes: readonly number[]): Promise<Section> {
  const real = await buildSchool(service, realStudents, true);
  await recomputeStudents(service.services, real.organizationId, real.studentIds);
  const change = await weakGatewaysNoLonger(service);
  const expected = (await impactOf(service, change, real.organizationId)).report.students.changed / realStudents;
  const rows: Row[] = [];
  for (const size of sizes) {
    const organizationId = await copyStudents(service, real, size);
    const before = cpuOf(service);
    const { report, elapsedMs, inStatementsMs } = await impactOf(service, change, organizationId);
    const cpu = cpuSince(service, before, size);
    assertEqual(`${size} students`, [report.students.evaluated, report.students.changed / size], [size, expected]);
    rows.push({
      contender: `${size.toLocaleString('en')} students`,
      result: `${Math.round((size * 1_000) / elapsedMs).toLocaleString('en')} students/s (${(elapsedMs / 1_000).toFixed(2)} s; its own statements ${(inStatementsMs / 1_000).toFixed(2)} s)`,
      aim,
    });
    rows.push(cpu);
    rows.push({ contender: '· resident memory afterwards', result: `${residentMiB(process.pid)} MiB` });
  }
  rows.push(...(await asked(service)), ...(await parts(service, real, change)));
  return {
    title: 'Impact of a change',
    note: `Copies of ${realStudents} students with 100 responses each, two evaluations a student, in the threads of one process beside PostgreSQL and an idle API. Asserted: every student is evaluated, and the same share of them changes at every size. Below: what one student costs, part by part.`,
    rows,
  };
}

/** On a busy machine processor time tells more than elapsed time. */
const cpuOf = ({ pids }: Service) => ({ own: cpuMs(process.pid), database: cpuMs(pids.database) });

function cpuSince(service: Service, before: ReturnType<typeof cpuOf>, students: number): Row {
  const after = cpuOf(service);
  const each = (ms: number) => `${(ms / students).toFixed(2)} ms`;
  return {
    contender: '· processor time a student',
    result: `this process ${each(after.own - before.own)}, PostgreSQL ${each(after.database - before.database)}`,
  };
}

/** A change of many results. */
const weakGatewaysNoLonger = (service: Service): Promise<ChangeRow> =>
  changeOf(service, 'ssr/ssr', (shipped) => ({
    ...shipped,
    rules: (shipped as TableDocument).rules.map((rule) =>
      rule.name === 'SSR-08'
        ? { ...rule, event: { ...rule.event, params: { ...rule.event.params, outcome: 'weak_isolated' } } }
        : rule,
    ),
  }));

async function changeOf(
  { services, owner }: Service,
  name: DocumentName,
  change: (shipped: RuleDocument) => RuleDocument,
): Promise<ChangeRow> {
  const { rules } = await services.rules.at(services.db, services.clock.now());
  const shipped = rules.documents.find((one) => documentName(one) === name);
  if (!shipped) throw new Error(`no ${name} is in force`);
  const { family, key, version: baseVersion } = shipped.meta;
  const version = baseVersion + 1;
  const document = change(shipped);
  const text = canonicalJson({ ...document, meta: { ...document.meta, version } });
  const [id, at] = [newId(), services.clock.now()];
  await inContext(owner, 'SUPER', async (trx) => {
    const row = { id, title: name, state: 'validated', authorUserId: 1, createdAt: at, updatedAt: at };
    await trx('rule_change').insert(row);
    const texts = { document: text, sha256: sha256Hex(text) };
    await trx('rule_change_document').insert({ changeId: id, family, key, baseVersion, version, ...texts });
  });
  const stored = await inContext(services.db, 'SUPER', (trx) => findChange(trx, id));
  if (!stored) throw new Error('the change is gone');
  return stored;
}

async function impactOf({ services, owner }: Service, change: ChangeRow, organizationId: string) {
  const order = { change, scope: { organizationId }, requestedBy: 1 };
  const now = services.clock.now();
  const work = await inContext(services.db, 'SUPER', (trx) => usableChange(trx, services, change, now));
  const usable = await work();
  const jobId = await inContext(services.db, 'SUPER', (trx) => startImpact(trx, services, order, usable, now));
  const inStatements = watchStatements(services.db);
  const from = performance.now();
  await runJob(services, [impactModel], { id: jobId, organizationId });
  const elapsedMs = performance.now() - from;
  const inStatementsMs = inStatements();
  const job: JobRow<never, never, Report> = await inContext(owner, 'SUPER', (trx) =>
    trx('rule_job').where({ id: jobId }).first(),
  );
  if (job.report === null) throw new Error(`the job is ${job.state}: ${job.issue}`);
  return { report: job.report, elapsedMs, inStatementsMs };
}

interface Report {
  readonly students: { readonly evaluated: number; readonly changed: number };
}

/** Statements of the job's own connections, without those of threads. */
function watchStatements(db: Service['services']['db']): () => number {
  const startedAt = new Map<string, number>();
  let spentMs = 0;
  const began = ({ __knexQueryUid: id }: { __knexQueryUid: string }) => startedAt.set(id, performance.now());
  const ended = (_response: unknown, { __knexQueryUid: id }: { __knexQueryUid: string }) => {
    spentMs += performance.now() - (startedAt.get(id) ?? Number.NaN);
  };
  db.on('query', began).on('query-response', ended);
  return () => {
    db.removeListener('query', began).removeListener('query-response', ended);
    return spentMs;
  };
}

/** Students of one organization under changes that need more input than their stored run. */
async function asked(service: Service): Promise<Row[]> {
  const { organizationId, studentIds } = await buildSchool(service, askedStudents, true);
  await recomputeStudents(service.services, organizationId, studentIds);
  const students = `${askedStudents.toLocaleString('en')} students, once before to warm up`;
  return [
    ...(await warmRow(service, organizationId, await shorterWindow(service), `evidence gathered anew, ${students}`)),
    ...(await warmRow(service, organizationId, await otherBundle(service), `plans and groups of a class, ${students}`)),
  ];
}

/** The input of stored runs does not suffice for it. */
const shorterWindow = (service: Service): Promise<ChangeRow> =>
  changeOf(service, 'dth/dth', (shipped) => ({
    ...shipped,
    constants: { ...shipped.constants, 'DTH-WIN-01': { value: 2, rationale: 'A shorter window.' } },
  }));

const otherBundle = (service: Service): Promise<ChangeRow> =>
  changeOf(service, 'bundle/recommendation', (shipped) => ({
    ...shipped,
    rules: (shipped as TableDocument).rules.map((rule) =>
      rule.name === 'BRR-12A'
        ? { ...rule, event: { ...rule.event, params: { ...rule.event.params, outcome: 'SUP-DECODE-01' } } }
        : rule,
    ),
  }));

async function warmRow(service: Service, organizationId: string, change: ChangeRow, contender: string): Promise<Row[]> {
  await impactOf(service, change, organizationId);
  const before = cpuOf(service);
  const { report, elapsedMs } = await impactOf(service, change, organizationId);
  const cpu = cpuSince(service, before, askedStudents);
  assertEqual(contender, report.students.evaluated, askedStudents);
  const rate = Math.round((askedStudents * 1_000) / elapsedMs).toLocaleString('en');
  const result = `${rate} students/s (${(elapsedMs / 1_000).toFixed(2)} s)`;
  return [{ contender, result, aim: '≥ 1,000 students/s' }, cpu];
}

/** The parts for the real students, each with the result of the one before it. */
async function parts({ services }: Service, { organizationId, studentIds }: School, change: ChangeRow): Promise<Row[]> {
  const asOf = new Date().toISOString();
  const { rules } = await services.rules.at(services.db, services.clock.now());
  const documents = await inContext(services.db, 'SUPER', (trx) => documentsOf(trx, [change.id]));
  const rulePair = rulePairFrom(
    rules,
    documents.map(({ document }) => document),
    simulationParts({ capabilities }),
  );
  const { name: schoolYear } = simulation.schoolYears(asOf, rulePair.before.pipeline)('Asia/Riyadh');
  const years = studentIds.map((studentId) => ({ studentId, schoolYear }));
  const load = async () =>
    await inContext(services.db, { organizationId }, (trx) => simulation.newestRuns(trx, organizationId, years, asOf));
  const runs = await load();
  const texts = runs.map(({ input }) => JSON.stringify(input));
  const evaluated = (side: 'before' | 'after') =>
    runs.map((run) => simulation.evaluateRun(run.input, { ...run, asOf }, rulePair[side].pipeline));
  const earlier = evaluated('before');
  const pairs = evaluated('after').map((after, index) => ({ before: earlier[index] ?? after, after }));
  const part = (name: string, run: () => unknown) => ({ name: `· ${name}`, operations: runs.length, run });
  const timings = await sideBySide(
    [
      part('newest run read and parsed', load),
      part('of which parsing its input', () => texts.map((text) => JSON.parse(text))),
      part('evaluated with the rules in force', () => evaluated('before')),
      part('evaluated with the change', () => evaluated('after')),
      part('answers compared', () => compareAll(runs, pairs, rulePair)),
      part('all that was decided compared', () => pairs.map((one) => simulation.isSameResult(one.before, one.after))),
      part('rows that would be appended', () => pairs.map((one) => simulation.appendedRows(one.before, one.after))),
    ],
    rounds,
  );
  return [...timings].map(([contender, time]) => ({ contender, result: duration(time) }));
}

const rounds = 7;

type Evaluation = ReturnType<typeof simulation.evaluateRun>;

function compareAll(
  runs: readonly simulation.SimulatedRun[],
  pairs: readonly { readonly before: Evaluation; readonly after: Evaluation }[],
  { layers }: RulePair,
): void {
  const position = emptyPosition(layers);
  for (const [index, { studentId, id: runId, grade }] of runs.entries()) {
    const pair = pairs[index];
    if (!pair) continue;
    const answers = { before: simulation.layerAnswers(pair.before), after: simulation.layerAnswers(pair.after) };
    compareStudent(position, {
      organizationId: '',
      studentId,
      runId,
      schoolId: null,
      grade,
      isFlagged: false,
      isOther: false,
      ...answers,
    });
  }
}
