// `npm run bench`: runs all benchmarks, or the named ones; `--write` writes their tables to docs/performance.md, `--students
// 100,1000` sets the sizes of the recompute, `--during 2000` how many students are recomputed while others finish, `--classes
// 50` how many poll, `--schools 1000` how many are published in a night, `--rows 5000,100000` the rows of rosters, `--indexed
// 10000,100000` the students of live impacts, `--minutes 30 --rate 30` the duration of a soak and its requests per second. A
// soak runs only if it is named.
import { parseArgs } from 'node:util';
import { machineLine } from './harness/measure.ts';
import { aroundSection, type Section, sectionText, writeSection } from './harness/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    students: { type: 'string', default: '100,1000' },
    classes: { type: 'string', default: '50' },
    schools: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '5000,100000' },
    indexed: { type: 'string', default: '10000,100000' },
    during: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '30' },
  },
});
const sizesOf = (list: string): number[] => list.split(',').map(Number);
const sizes = sizesOf(values.students);

/** Each benchmark is loaded on demand, so that it needs only its own dependencies. */
const benchmarks: Readonly<Record<string, () => Promise<Section>>> = {
  decide: async () => (await import('./rules/decide.ts')).benchDecide(),
  student: async () => (await import('./assessment/student.ts')).benchStudent(),
  interventions: async () => (await import('./support/interventions.ts')).benchInterventions(),
  clusters: async () => (await import('./support/clusters.ts')).benchClusters(),
  rti: async () => (await import('./support/rti.ts')).benchRti(Math.max(...sizes)),
  eap: async () => (await import('./assessment/eap.ts')).benchEap(),
  latency: async () => (await import('./assessment/latency.ts')).benchLatency(),
  recompute: async () => (await import('./assessment/recompute.ts')).benchRecompute(sizes),
  lanes: async () => (await import('./assessment/lanes.ts')).benchLanes(Number(values.during)),
  analysis: async () => (await import('./rules/analysis.ts')).benchAnalysis(),
  language: async () => (await import('./rules/language.ts')).benchLanguage(),
  impact: async () => (await import('./rules/impact.ts')).benchImpact([1_000, 5_000, 20_000]),
  'live-impact': async () => (await import('./rules/live-impact.ts')).benchLiveImpact(sizesOf(values.indexed)),
  replay: async () => (await import('./rules/replay.ts')).benchReplay([1_000, 5_000]),
  'live-poll': async () => (await import('./http/live-poll.ts')).benchLivePoll(Number(values.classes)),
  leaderboard: async () => (await import('./outcomes/leaderboard.ts')).benchLeaderboard(),
  dispatch: async () => (await import('./notifications/dispatch.ts')).benchDispatch(),
  streams: async () => (await import('./notifications/streams.ts')).benchStreams(),
  aggregates: async () => (await import('./outcomes/aggregates.ts')).benchAggregates(),
  rollups: async () => (await import('./outcomes/rollups.ts')).benchRollups(),
  letters: async () => (await import('./outcomes/letters.ts')).benchLetters(),
  roster: async () => (await import('./rosters/roster.ts')).benchRoster(sizesOf(values.rows)),
  night: async () => (await import('./outcomes/night.ts')).benchNight(Number(values.schools)),
  http: async () => (await import('./http/http.ts')).benchHttp(),
  search: async () => (await import('./http/people-search.ts')).benchPeopleSearch(),
  soak: async () =>
    (await import('./soak/soak.ts')).benchSoak({ minutes: Number(values.minutes), ratePerSecond: Number(values.rate) }),
};

const names = positionals.length > 0 ? positionals : Object.keys(benchmarks).filter((name) => name !== 'soak');
const unknown = names.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}
// A table without markers is found before anything is measured.
if (values.write) names.forEach(aroundSection);
for (const name of names) {
  const machine = `${machineLine()}, ${new Date().toISOString().slice(0, 10)}.`;
  console.error(`${name}…`);
  const section = await benchmarks[name]?.();
  if (!section) continue;
  const text = sectionText({ ...section, note: `${section.note}\n\n${machine}` });
  console.log(`\n${text}`);
  if (values.write) writeSection(name, text);
}
