// Live impacts of whole organizations, in the threads of this process: loading, first answers, and whole counts while an author types.
import { recomputeStudents } from '../../src/assessment/skill-status/index.ts';
import { liveImpactOf } from '../../src/backoffice/workbench/live/impact.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { documentName, type TableDocument } from '../../src/rules/rulesets/index.ts';
import { assertEqual, percentile } from '../harness/measure.ts';
import { residentMiB } from '../harness/processes.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';
import { copyStudents } from './impact-copies.ts';

const realStudents = 250;
const questions = 20;

export const benchLiveImpact = (sizes: readonly number[]): Promise<Section> =>
  withService((service) => measure(service, sizes), { workers: 0 });

type Proposal = Pick<Parameters<typeof liveImpactOf>[2], 'documents' | 'constants'>;

async function measure(service: Service, sizes: readonly number[]): Promise<Section> {
  const real = await buildSchool(service, realStudents, true);
  await recomputeStudents(service.services, real.organizationId, real.studentIds);
  // The threads start before anything is measured.
  await answerTo(service, real.organizationId, {}, 2_000);
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await ofSize(service, real, size)));
  await service.services.liveThreads.stop();
  return {
    title: 'Live impact',
    note: `Copies of ${realStudents} students with 100 responses each; every question is another one. Asserted: all students are counted, and the same share of them changes at every size.`,
    rows,
  };
}

async function ofSize(service: Service, real: School, size: number): Promise<Row[]> {
  const organizationId = await copyStudents(service, real, size);
  const residentBefore = residentMiB(process.pid);
  const from = performance.now();
  const first = await answerTo(service, organizationId, {});
  const firstMs = performance.now() - from;
  let whole = first;
  while (whole.state !== 'exact') whole = await answerTo(service, organizationId, {}, 2_000);
  const loadedMs = performance.now() - from;
  assertEqual(`${size} students`, [whole.of, whole.changed], [size, 0]);
  const bytes = ((residentMiB(process.pid) - residentBefore) * 1024 * 1024) / size;
  const half = await timesOf(service, organizationId, (at) => otherStatus(service, at));
  const all = await timesOf(service, organizationId, (at) => ({
    constants: [{ constantId: 'DTH-GTW-01', value: 2 + at / 100 }],
  }));
  const students = `${size.toLocaleString('en')} students`;
  const aim = size > 10_000 ? '≤ 4 s' : '≤ 0.7 s';
  return [
    { contender: `${students}, loaded`, result: duration(loadedMs * 1e6), aim: '100,000 in 20 s' },
    { contender: '· first answer', result: duration(firstMs * 1e6), aim: '≤ 0.5 s' },
    { contender: '· resident memory a student', result: `${Math.round(bytes)} bytes`, aim: '≤ 2,000' },
    { contender: '· some could change, p95', result: duration(percentile(half, 0.95) * 1e6), aim },
    { contender: '· all could change, p95', result: duration(percentile(all, 0.95) * 1e6) },
  ];
}

/** Milliseconds until each of different questions is answered for all students. */
async function timesOf(
  service: Service,
  organizationId: string,
  proposalOf: (at: number) => Promise<Proposal> | Proposal,
) {
  const times: number[] = [];
  for (let at = 0; at < questions; at += 1) {
    const proposal = await proposalOf(at);
    const from = performance.now();
    let answer = await answerTo(service, organizationId, proposal, 2_000);
    while (answer.state === 'counting' || answer.state === 'warming') {
      answer = await answerTo(service, organizationId, proposal, 2_000);
    }
    times.push(performance.now() - from);
    assertEqual('a live question', answer.state, 'exact');
  }
  return times;
}

async function answerTo({ services }: Service, organizationId: string, proposal: Proposal, maxMs = 500) {
  const asked = { scope: { organizationId }, maxMs, ...proposal };
  const moment = { userId: 1, now: services.clock.now() };
  const work = await inContext(services.db, 'SUPER', (trx) => liveImpactOf(services, trx, asked, moment));
  return work();
}

/** A change of many results; its reason differs, so that no count goes on. */
async function otherStatus({ services }: Service, at: number): Promise<Proposal> {
  const { rules } = await services.rules.at(services.db, services.clock.now());
  const shipped = rules.documents.find((one) => documentName(one) === 'ssr/ssr') as TableDocument;
  const changed = shipped.rules.map((rule) =>
    rule.name === 'SSR-08'
      ? {
          ...rule,
          rationale: `Question ${at}.`,
          event: { ...rule.event, params: { ...rule.event.params, outcome: 'weak_isolated' } },
        }
      : rule,
  );
  return { documents: [{ family: 'ssr', key: 'ssr', document: { ...shipped, rules: changed } }] };
}
