// Runs that engines of earlier days have made: every later one makes the same bytes of them. Recordings are only added;
// `RECORD=2027-01-31 npm test -- replay/recorded` adds one, of the golden cases under the newest rules.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalJson } from '../../src/platform/pure/canonical-json.ts';
import { loadRules, newestBundle } from '../../src/rulesets/files.ts';
import { documentName, pinBundle, type RuleBundle } from '../../src/rulesets/index.ts';
import { engineVersions } from '../../src/skill-status/rules/pipelines.ts';
import { type Recorded, type RecordedCase, type Recording, recordOf } from './recording.ts';

const test = suite('recorded runs');
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'tests/replay/recorded');
const rules = await loadRules(path.join(root, 'rules'));

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

function goldenCases(): RecordedCase[] {
  const file = path.join(root, 'tests/golden/sse-golden-cases.json');
  const { cases }: { cases: { input: GoldenInput }[] } = JSON.parse(fs.readFileSync(file, 'utf8'));
  return cases.map(
    ({ input: { caseId: id, grade, asOf, contextReviewActive: contextReview, sessions, responses } }) => ({
      ...{ id, grade, asOf, contextReview, input: { sessions, responses } },
    }),
  );
}

function record(recordedOn: string, bundle: RuleBundle): void {
  const runs = goldenCases().map((one): Recorded => ({ ...one, left: recordOf(one, bundle) }));
  const recording: Recording = { recordedOn, ruleVersions: engineVersions(bundle.versions), runs };
  fs.writeFileSync(path.join(folder, `${recordedOn}.json`), `${canonicalJson(recording)}\n`, { flag: 'wx' });
}

if (process.env.RECORD) record(process.env.RECORD, newestBundle(rules));

const names = fs.readdirSync(folder).sort();

test('there are recordings, and none is empty', () => {
  assert.ok(names.length >= 2);
});

for (const name of names) {
  test(`${name}: the same bytes again`, () => {
    const { ruleVersions, runs }: Recording = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
    assert.ok(runs.length >= 10);
    const bundle = pinned(ruleVersions);
    for (const { left, ...one } of runs) {
      assert.is(canonicalJson(recordOf(one, bundle)), canonicalJson(left), one.id);
    }
  });
}

test.run();
