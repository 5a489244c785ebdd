// The tables beside the pipeline: sessions that were logged and error patterns that were counted, asked about again.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildPlace, edited, impactOf, january, layerOf, type Place, type Report, setConstant } from './world.ts';

const test = suite('the impact on flags');
const shell = useShell(test);
const { owner } = shell.app.database;
let place: Place;

const calm = {
  ...{ served: 20, answered: 20, rapid: 0, rapidShare: 0, longestRapidStreak: 0, longestPositionStreak: 2 },
  ...{
    longestAlternation: 2,
    longestOmissionRun: 0,
    omissionShare: 0,
    pauses: 0,
    longestPauseSec: 0,
    totalPauseSec: 0,
  },
  ...{ replayOveruseItems: 0, slowShare: 0, manyChangesItems: 0, rightShareDrop: 0 },
};

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 4, 5);
  const own = {
    ...{ organizationId: place.organizationId, schoolYear: '2025-2026' },
    ...{ source: 'practice', flags: ['RBM-00'], ruleVersion: 'RBM@1' },
  };
  const sessions = [
    { ...calm, pauses: 2, longestPauseSec: 50 },
    { ...calm, pauses: 2, longestPauseSec: 50 },
    { ...calm, longestPauseSec: 130 },
    calm,
    { ...calm, pauses: 4 },
  ];
  await owner('rbm_log').insert(
    sessions.map((facts, at) => ({
      ...{ ...own, studentId: place.studentIds[at], sessionId: newId(), at: january(9) },
      ...{ facts: JSON.stringify(facts), markedSeqs: [] },
    })),
  );
  await owner('sub_flag_indicator').insert(
    [1, 2, 2, 3].map((validOccurrences, at) => ({
      ...{ organizationId: place.organizationId, studentId: place.studentIds[at], schoolYear: '2025-2026' },
      ...{ patternKey: 'm1', code: `SF-${at}`, level: 1, state: 'candidate', validOccurrences, sessionCount: 1 },
      ...{ linkedOccurrences: validOccurrences > 1 ? 1 : 0, occurrencesAfterSupport: 0, supportDeliveredAt: null },
      ...{ updatedAt: january(9), ruleVersion: 'SUBFLAG@1' },
    })),
  );
  // One who was escalated already: by stricter rules only a candidate.
  await owner('sub_flag_indicator').insert({
    ...{ organizationId: place.organizationId, studentId: place.studentIds[4], schoolYear: '2025-2026' },
    ...{ patternKey: 'm1', code: 'SF-4', level: 2, state: 'automatic_support_active', validOccurrences: 2 },
    ...{ sessionCount: 1, linkedOccurrences: 2, occurrencesAfterSupport: 0, supportDeliveredAt: null },
    ...{ updatedAt: january(9), ruleVersion: 'SUBFLAG@1' },
  });
});

const scope = () => ({ scope: { organizationId: place.organizationId } });

const step = (report: Report, layer: string, from: string, to: string) =>
  layerOf(report, layer).transitions.find((one: Report) => one.from === from && one.to === to);

test('RBM: shorter pauses and fewer of them raise flags; the pipeline is not touched', async () => {
  const document = edited('rbm/rbm', (draft) => setConstant(draft, 'RBM-FRAGMENT', 2));
  const { report } = await impactOf(shell, document, scope());
  assert.is(step(report, 'RBM', 'none', 'fragmented_session').count, 2);
  assert.is(step(report, 'RBM', 'clean', 'none').count, 2, 'they were clean');
  assert.is(step(report, 'RBM', 'fragmented_session', 'fragmented_session').count, 1);
  assert.is(step(report, 'RBM', 'long_pause', 'long_pause').count, 1);
  assert.is(step(report, 'RBM', 'clean', 'clean').count, 1);
  assert.is(layerOf(report, 'RBM').lateral, 4);
  const hits = report.ruleHits.find((one: Report) => one.ruleId === 'RBM-11');
  assert.equal([hits.before, hits.after], [1, 3]);
  assert.is(report.students.changed, 2);
  assert.equal(
    report.layers.filter(({ layer, changed }: Report) => layer !== 'RBM' && changed > 0),
    [],
  );
  const { exemplars } = step(report, 'RBM', 'none', 'fragmented_session');
  assert.equal(
    exemplars.map(({ studentId }: Report) => studentId),
    place.studentIds.slice(0, 2),
  );
  const [{ before, after, stampId }] = exemplars;
  assert.match(stampId, /^rbm:\d+$/);
  assert.equal([before.ruleId, after.ruleId, after.facts.pauses], [null, 'RBM-11', 2]);
});

test('RBM: a constant that shapes what is logged is named, because no stored log tells its effect', async () => {
  const document = edited('rbm/rbm', (draft) => setConstant(draft, 'RBM-RAPID-MS', 900));
  const { report } = await impactOf(shell, document, scope());
  assert.equal(report.notSimulated, ['RBM-RAPID-MS']);
  assert.is(report.students.changed, 0);
});

test('SUBFLAG: patterns escalate, and nothing that was reached is taken back', async () => {
  const lower = edited('subflag/subflag', (draft) => setConstant(draft, 'SUBFLAG-LNK-01', 1));
  const { report } = await impactOf(shell, lower, scope());
  const escalates = step(report, 'SUBFLAG', 'candidate', 'automatic_support_active');
  assert.is(escalates.count, 3);
  assert.is(step(report, 'SUBFLAG', 'candidate', 'candidate').count, 1);
  assert.equal(
    escalates.exemplars.map(({ subject, before, after }: Report) => [subject, before.outcome, after.outcome]),
    Array(3).fill(['m1', 'candidate', 'automatic_support_active']),
  );
  const stricter = edited('subflag/subflag', (draft) => setConstant(draft, 'SUBFLAG-LNK-01', 3));
  const strict = (await impactOf(shell, stricter, scope())).report;
  assert.is(layerOf(strict, 'SUBFLAG').changed, 0);
  const hits = strict.ruleHits.find((one: Report) => one.ruleId === 'SUBFLAG-L2');
  assert.equal([hits.before, hits.after], [1, 0]);
});

test.run();
