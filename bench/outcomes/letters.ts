// Documents of the service, and the summary of a class: letters over HTTP, warm and many at once, their use of memory, and the
// report for a board of a hundred schools, the first one of a thread included.
import { sampleBoard } from '../../scripts/author/samples/board-reports.ts';
import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { renderPdf } from '../../src/core/platform/pdf/printer.ts';
import { printedBoardReport } from '../../src/outcomes/reports/pages/board-report.ts';
import { loadNewestBundle } from '../../src/rules/rulesets/index.ts';
import { clientOf, load, signIn } from '../harness/client.ts';
import { percentile } from '../harness/measure.ts';
import { cpuMs, residentMiB } from '../harness/processes.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { buildSchool } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const studentsOfClass = 25;
const callers = 4;
const letters = 1_000;
const single = 60;
const schoolsOfBoard = 100;

export const benchLetters = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const school = await buildSchool(service, studentsOfClass, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await service.owner.raw('analyze');
  const token = await signIn(service, school.teacher);
  const client = clientOf(service.url, callers);
  let asked = 0;
  const letter = () => client.ask('POST', `/api/parent/pdf/${school.studentIds[asked++ % studentsOfClass]}`, token, {});
  const summary = () => client.ask('GET', `/api/reports/classes/${school.classRow.id}/class-summary`, token);
  try {
    await load(studentsOfClass * 4, callers, letter);
    const [oneLetter, oneSummary] = [await waits(letter), await waits(summary)];
    const many = await thousand(service, letter);
    const again = await thousand(service, letter);
    return { title: 'Letters and reports', note, rows: rowsOf(oneLetter, oneSummary, [many, again], await boards()) };
  } finally {
    client.close();
  }
}

/** Returns the durations of sequential calls, in nanoseconds. */
async function waits(call: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < single; at += 1) {
    const from = performance.now();
    await call();
    found.push((performance.now() - from) * 1e6);
  }
  return found;
}

interface Many {
  readonly perSecond: number;
  readonly processorMs: number;
  readonly residentBefore: number;
  readonly residentAfter: number;
}

async function thousand({ pids }: Service, letter: () => Promise<unknown>): Promise<Many> {
  const [residentBefore, usedBefore, from] = [residentMiB(pids.api), cpuMs(pids.api), performance.now()];
  await load(letters, callers, letter);
  const seconds = (performance.now() - from) / 1_000;
  const processorMs = (cpuMs(pids.api) - usedBefore) / letters;
  return { perSecond: letters / seconds, processorMs, residentBefore, residentAfter: residentMiB(pids.api) };
}

/** Returns the durations in a thread of this process, in nanoseconds: the first one, which loads everything, and the next. */
async function boards(): Promise<readonly number[]> {
  const report = sampleBoard(await loadNewestBundle('rules'), schoolsOfBoard);
  const found: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const from = performance.now();
    await renderPdf(printedBoardReport(report));
    found.push((performance.now() - from) * 1e6);
  }
  return found;
}

function rowsOf(
  one: readonly number[],
  summary: readonly number[],
  [many, again]: readonly [Many, Many],
  boards: readonly number[],
): Row[] {
  const [first = Number.NaN, ...later] = boards;
  return [
    { contender: 'a letter, warm, half of them', result: duration(percentile(one, 0.5)), aim: '≤ 80 ms' },
    { contender: 'a letter, warm, 19 of 20', result: duration(percentile(one, 0.95)) },
    { contender: 'letters, 4 callers', result: `${many.perSecond.toFixed(1)}/s`, aim: '≥ 12/s' },
    { contender: '· processor time of the API a letter', result: `${many.processorMs.toFixed(1)} ms` },
    { contender: '· resident memory of the API before', result: `${many.residentBefore} MiB` },
    { contender: '· after 1,000 letters', result: `${many.residentAfter} MiB` },
    { contender: '· after 1,000 more', result: `${again.residentAfter} MiB`, aim: 'flat' },
    { contender: 'class summary, half of them', result: duration(percentile(summary, 0.5)), aim: '≤ 30 ms' },
    { contender: 'class summary, 19 of 20', result: duration(percentile(summary, 0.95)) },
    { contender: 'board of 100 schools, the first of a thread', result: duration(first), aim: '≤ 3 s' },
    { contender: 'board of 100 schools, warm', result: duration(percentile(later, 0.5)), aim: '≤ 3 s' },
  ];
}

const note =
  'Letters of a class of 25 with 100 responses each over HTTP, each from its facts to its bytes, after 100 to warm up; the summary of the same class. The board is the sample of four seasons, from its facts to its bytes.';
