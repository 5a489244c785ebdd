// Phases of a student against a computation day by day.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { dateOfDay, dayNumber, daysAfter } from '#core/platform/pure/dates/days.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { phasesOf, type StudentHistory, type SupportPhase } from '#support/decision-packets/data-room/phases.ts';

const today = '2026-03-01';

test('tiers and bundles divide each other; days without a bundle are phases between them', () => {
  const way: StudentHistory = {
    enrolledOn: '2025-09-01',
    movements: [
      { toTier: 2, effectiveOn: '2025-11-02' },
      { toTier: 1, effectiveOn: '2026-02-01' },
    ],
    assignments: [
      { bundle_id: 'BND-DECODE-01', startOn: '2025-10-20', endedOn: '2025-12-31' },
      { bundle_id: 'SUP-DECODE-01', startOn: '2026-02-10', endedOn: null },
      { bundle_id: 'SUP-FLUENCY-01', startOn: '2026-03-08', endedOn: null },
    ],
    today,
  };
  assert.equal(phasesOf(way), [
    { from: '2025-09-01', to: '2025-10-19', tier: 1, bundle_id: null },
    { from: '2025-10-20', to: '2025-11-01', tier: 1, bundle_id: 'BND-DECODE-01' },
    { from: '2025-11-02', to: '2025-12-31', tier: 2, bundle_id: 'BND-DECODE-01' },
    { from: '2026-01-01', to: '2026-01-31', tier: 2, bundle_id: null },
    { from: '2026-02-01', to: '2026-02-09', tier: 1, bundle_id: null },
    { from: '2026-02-10', to: null, tier: 1, bundle_id: 'SUP-DECODE-01' },
  ]);
});

test('two bundles at once are two phases of the same days; a student who never was in a class has none', () => {
  const plan = { startOn: '2026-01-01', endedOn: null };
  const assignments = [
    { ...plan, bundle_id: 'B' },
    { ...plan, bundle_id: 'A' },
  ];
  assert.equal(phasesOf({ enrolledOn: '2026-01-01', movements: [], assignments, today }), [
    { from: '2026-01-01', to: null, tier: 1, bundle_id: 'A' },
    { from: '2026-01-01', to: null, tier: 1, bundle_id: 'B' },
  ]);
  assert.equal(phasesOf({ enrolledOn: null, movements: [], assignments: [], today }), []);
});

/** The phases of a single day. */
function naive({ enrolledOn, movements, assignments }: StudentHistory, day: string): string[] {
  if (enrolledOn === null || day < enrolledOn) return [];
  const tier = movements.filter(({ effectiveOn }) => effectiveOn <= day).at(-1)?.toTier ?? 1;
  const given = assignments.filter(
    ({ startOn, endedOn }) => startOn <= day && (endedOn ?? day) >= day && startOn <= today,
  );
  return (given.length === 0 ? ['none'] : given.map(({ bundle_id }) => bundle_id))
    .map((one) => `${tier} ${one}`)
    .sort();
}

const holds = (phase: SupportPhase, day: string): boolean => phase.from <= day && (phase.to ?? day) >= day;

test('on every day the phases equal those of a computation for that day', () => {
  const random = seededNumbers(51);
  const dayIn = (from: string, days: number) => daysAfter(from, Math.floor(random() * days));
  for (let round = 0; round < 200; round++) {
    const enrolledOn = dayIn('2025-09-01', 20);
    const first = dayIn(enrolledOn, 60);
    const way: StudentHistory = {
      enrolledOn,
      movements: [
        { toTier: 2, effectiveOn: first },
        { toTier: 3, effectiveOn: dayIn(first, 40) },
      ],
      assignments: ['A', 'B', 'C'].map((bundle_id) => {
        const startOn = dayIn(enrolledOn, 150);
        return { bundle_id, startOn, endedOn: random() < 0.3 ? null : dayIn(startOn, 50) };
      }),
      today,
    };
    const phases = phasesOf(way);
    for (let day = dayNumber('2025-08-25'); day <= dayNumber(today); day++) {
      const date = dateOfDay(day);
      const found = phases
        .filter((phase) => holds(phase, date))
        .map(({ tier, bundle_id }) => `${tier} ${bundle_id ?? 'none'}`);
      assert.equal(found.sort(), naive(way, date), `${date} ${JSON.stringify(way)}`);
    }
  }
});

test.run();
