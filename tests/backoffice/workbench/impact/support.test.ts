// timeout: 180s
// What a draft of profiles, bundles or groups would change, against what an activation then really does.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { insertAssignment } from '../../../support/interventions/assignment-rows.ts';
import { edited, impactOf, january, ruleOf, setConstant, type WholeReport } from './world.ts';

const test = suite('the impact of rules of support');
const shell = useShell(test);
const { app } = shell;

const right = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'CCCC' },
  ...{ LIS_LITERAL: 'CCCC', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};
const noWords = { ...right, DEC_WORD: 'UUUU' };
const noWordsNoListening = { ...noWords, LIS_LITERAL: 'UUUU' };

let first: Student;
let listening: Student;

test.before(async () => {
  app.clock.set(january(10));
  first = await shell.student();
  const others = [await shell.classmate(first), await shell.classmate(first)];
  listening = await shell.classmate(first);
  for (const student of [first, ...others]) await measure(student, noWords);
  await measure(listening, noWordsNoListening);
  await measure(await shell.classmate(first), right);
});

async function measure(student: Student, parts: Readonly<Record<string, string>>): Promise<void> {
  await shell.diagnostic(student, answersOf(parts), { finishedAt: january(9), announced: false });
  await shell.recompute(student);
}

type SupportReport = Omit<WholeReport, 'reportHash'>;

async function simulated(draft: RuleDocument): Promise<SupportReport> {
  const { report } = await impactOf(shell, draft, everybody());
  return report;
}

function layerIn({ layers }: SupportReport, name: 'PROFILE' | 'BUNDLE') {
  const found = layers.find(({ layer }) => layer === name);
  if (!found) throw new Error(`the report has no layer ${name}`);
  return found;
}

const everybody = () => ({ scope: { organizationId: first.organizationId } });

const counts = (report: SupportReport, layer: 'PROFILE' | 'BUNDLE') =>
  layerIn(report, layer).transitions.map(({ from, to, count }) => `${from} > ${to}: ${count}`);

test('a stricter count of strong roles moves one student to another profile and plan', async () => {
  const draft = edited('profile/resolution', (document) => setConstant(document, 'PRF-STR-01', 2));
  const report = await simulated(draft);
  assert.equal(counts(report, 'PROFILE'), [
    'DECODING_NEED > BROAD_NEED: 1',
    'DECODING_NEED > DECODING_NEED: 3',
    'ON_TRACK > ON_TRACK: 1',
  ]);
  assert.equal(counts(report, 'BUNDLE'), [
    'BND-DECODE-01 > BND-DECODE-01: 3',
    'BND-DECODE-01 > CIB-BROAD-01: 1',
    'NIO-CORE-01 > NIO-CORE-01: 1',
  ]);
  assert.is(report.students.changed, 1);
  // Four read no words; one of them would leave the group of the others.
  assert.equal(report.support, {
    clusters: { formed: 0, dissolved: 0, changed: 1 },
    assignmentsNoLongerCovered: 0,
  });
  const moved = layerIn(report, 'PROFILE').transitions.find(({ to }) => to === 'BROAD_NEED');
  const [exemplar] = moved?.exemplars ?? [];
  assert.is(exemplar?.studentId, listening.id);
  assert.equal([exemplar?.before.ruleId, exemplar?.after.ruleId], ['PRF-10', 'PRF-06']);
  assert.is(exemplar?.before.facts?.strongCount, 2);
  const hits = report.ruleHits.find(({ ruleId }) => ruleId === 'PRF-06');
  assert.equal([hits?.document, hits?.before, hits?.after], ['profile/resolution', 0, 1]);
});

test('what the report says of groups is what partitions of both rules say', async () => {
  const draft = edited('bundle/recommendation', (document) => {
    ruleOf(document, 'BRR-12A').event.params.outcome = 'SUP-DECODE-01';
  });
  const report = await simulated(draft);
  assert.equal(counts(report, 'PROFILE'), ['DECODING_NEED > DECODING_NEED: 4', 'ON_TRACK > ON_TRACK: 1']);
  assert.equal(counts(report, 'BUNDLE'), ['BND-DECODE-01 > SUP-DECODE-01: 4', 'NIO-CORE-01 > NIO-CORE-01: 1']);
  assert.equal(report.support?.clusters, { formed: 1, dissolved: 1, changed: 0 });
});

test('a draft that is about something else says nothing of support', async () => {
  const draft = edited('ssr/ssr', (document) => {
    ruleOf(document, 'SSR-08').event.params.outcome = 'weak_isolated';
  });
  const report = await simulated(draft);
  assert.is(report.support, null);
  assert.not(report.layers.some(({ layer }) => layer === 'PROFILE'));
});

test('an open plan that covered a need and would no longer is counted', async () => {
  await insertAssignment(app.database.owner, first, 'BND-DECODE-01');
  const covered = await simulated(edited('bundle/settings', () => {}));
  assert.equal(counts(covered, 'BUNDLE'), ['BND-DECODE-01 > BND-DECODE-01: 4', 'NIO-CORE-01 > NIO-CORE-01: 1']);
  assert.is(covered.support?.assignmentsNoLongerCovered, 0);
  const draft = edited('bundle/recommendation', (document) => {
    const continued = ruleOf(document, 'BRR-06');
    Object.assign(continued.event.params, { outcome: 'NIO-CORE-01', action: 'none' });
  });
  const report = await simulated(draft);
  assert.is(report.support?.assignmentsNoLongerCovered, 1);
});

test.run();
