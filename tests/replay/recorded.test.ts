// Recorded results of earlier engines: every later engine returns the same bytes. Recordings are only added.
// `RECORD=2027-01-31 npm test -- replay/recorded` adds one for each engine whose rules, questions or results have
// changed.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { engineVersions } from '#assessment/skill-status/rules/pipelines.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { loadRules, newestBundle } from '#rules/rulesets/files.ts';
import { documentName, pinBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { engines } from './engines/all.ts';
import { answers, type EngineRecording, type RecordedEngine, watched } from './engines/engine.ts';
import { readNowhere } from './read-nowhere.ts';
import { type Recorded, type RecordedCase, type Recording, recordOf } from './recording.ts';

const test = suite('recorded runs');
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'tests/replay/recorded');
/** `<SHA-256>  <file>`, one line for each recording. */
const lockFile = path.join(root, 'tests/replay/recorded.lock');
const rules = await loadRules(path.join(root, 'rules'));
const newest = newestBundle(rules);

function pinned(versions: Recording['ruleVersions']): RuleBundle {
  const own = rules.filter(({ document }) => versions[documentName(document)] === document.meta.version);
  assert.is(own.length, Object.keys(versions).length, 'no version of a rule document is ever taken away');
  return pinBundle(own.map(({ document }) => document));
}

interface GoldenInput extends RecordedCase {
  readonly caseId: string;
  readonly contextReviewActive: boolean;
  readonly sessions: RecordedCase['input']['sessions'];
  readonly responses: RecordedCase['input']['responses'];
}

const goldenCases = (): RecordedCase[] => ['sse-golden-cases', 'sse-recency-cases'].flatMap(casesOf);

function casesOf(name: string): RecordedCase[] {
  const file = path.join(root, `tests/golden/${name}.json`);
  const { cases }: { cases: { input: GoldenInput }[] } = JSON.parse(fs.readFileSync(file, 'utf8'));
  return cases.map(
    ({ input: { caseId: id, grade, asOf, contextReviewActive: contextReview, sessions, responses } }) => ({
      ...{ id, grade, asOf, contextReview, input: { sessions, responses } },
    }),
  );
}

const files = (): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort();

const textOf = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
const read = <Form>(name: string): Form => JSON.parse(textOf(name)) as Form;
const lockLine = (name: string): string => `${sha256Hex(textOf(name))}  ${name}`;
const withoutDay = ({ recordedOn: _, ...rest }: { readonly recordedOn: string }): string => canonicalJson(rest);

/** Skill statuses are in `<day>.json`, every other engine in `<engine>/<day>.json`. */
const recordingsOf = (engine?: string): string[] =>
  files().filter((name) => path.posix.dirname(name) === (engine ?? '.'));

function add(recording: Recording | EngineRecording): void {
  const engine = 'engine' in recording ? recording.engine : undefined;
  if (recordingsOf(engine).some((name) => withoutDay(read(name)) === withoutDay(recording))) return;
  const name = path.posix.join(engine ?? '.', `${recording.recordedOn}.json`);
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), `${canonicalJson(recording)}\n`, { flag: 'wx' });
  fs.appendFileSync(lockFile, `${lockLine(name)}\n`);
}

async function recordingOf(engine: RecordedEngine, recordedOn: string): Promise<EngineRecording> {
  const watch = watched(newest);
  const cases = await answers(engine, engine.questions(), watch.rules);
  const ruleVersions = Object.fromEntries([...watch.read].sort().map((name) => [name, newest.versions[name] ?? 0]));
  return { engine: engine.name, recordedOn, ruleVersions, cases };
}

async function record(recordedOn: string): Promise<void> {
  const runs = goldenCases().map((one): Recorded => ({ ...one, left: recordOf(one, newest) }));
  add({ recordedOn, ruleVersions: engineVersions(newest.versions), runs });
  for (const engine of engines) add(await recordingOf(engine, recordedOn));
}

if (process.env.RECORD) await record(process.env.RECORD);

test('no recording is lost, changed, or unlocked', () => {
  const lines = fs.readFileSync(lockFile, 'utf8').trimEnd().split('\n');
  assert.equal([...lines].sort(), files().map(lockLine).sort());
});

test('every engine has a recording, and none is empty', () => {
  assert.ok(recordingsOf().length >= 2);
  assert.equal([...new Set(engines.map(({ name }) => name))].length, engines.length);
  for (const { name } of engines) assert.ok(recordingsOf(name).length >= 1, name);
  const known = new Set(['.', ...engines.map(({ name }) => name)]);
  assert.equal(
    files().filter((name) => !known.has(path.posix.dirname(name))),
    [],
  );
});

for (const name of recordingsOf()) {
  test(`${name}: returns the same bytes`, () => {
    const { ruleVersions, runs } = read<Recording>(name);
    assert.ok(runs.length >= 10);
    const bundle = pinned(ruleVersions);
    for (const { left, ...one } of runs) {
      assert.is(canonicalJson(recordOf(one, bundle)), canonicalJson(left), one.id);
    }
  });
}

for (const engine of engines) {
  for (const name of recordingsOf(engine.name)) {
    test(`${name}: returns the same bytes`, async () => {
      const { ruleVersions, cases } = read<EngineRecording>(name);
      assert.ok(cases.length > 0);
      const given = await answers(engine, cases, pinned(ruleVersions));
      for (const [at, { id, left, hash }] of cases.entries()) {
        assert.is(canonicalJson(given[at]?.left), canonicalJson(left), id);
        assert.is(given[at]?.hash, hash, id);
      }
    });
  }
}

test('every shipped rule document is read by a recorded engine or listed with its use', async () => {
  const seen = new Set<string>(Object.keys(read<Recording>(recordingsOf().at(-1) ?? '').ruleVersions));
  for (const { name } of engines) {
    // Notifications search all documents for their family and use only those.
    const versions = Object.keys(read<EngineRecording>(recordingsOf(name).at(-1) ?? '').ruleVersions);
    const own = name === 'notifications' ? versions.filter((one) => one.startsWith('notification/')) : versions;
    for (const one of own) seen.add(one);
  }
  const unread = Object.keys(newest.versions).filter((name) => !seen.has(name));
  assert.equal(unread.sort(), Object.keys(readNowhere).sort());
});

test.run();
