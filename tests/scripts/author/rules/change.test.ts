// timeout: 120s
// A change from a file is checked as the service checks it: all documents together, on the newest shipped versions.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { change } from '../../../../scripts/author/rules/change.ts';
import { terminal } from '../../../../scripts/author/rules/terminal.ts';

interface Result {
  readonly level: string | null;
  readonly checks: readonly { readonly name: string; readonly findings: readonly { level: string; code: string }[] }[];
  readonly differences: readonly { readonly after: string; readonly regions: readonly unknown[] | null }[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rules-change-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

async function checked(body: object): Promise<{ isSound: boolean; result: Result }> {
  const file = path.join(folder, 'change.json');
  fs.writeFileSync(file, JSON.stringify(body));
  let result: unknown;
  const keep = (value: unknown) => {
    result = value;
  };
  const out = { ...terminal({ isJson: true, isTty: false }), json: keep };
  return { isSound: await change([file], out), result: result as Result };
}

const codes = ({ checks }: Result, level: string) =>
  checks.flatMap(({ name, findings }) =>
    findings.filter((one) => one.level === level).map(({ code }) => `${name} ${code}`),
  );

test('a constant is set in every document that holds it, and the cases that it moves are named', async () => {
  const constants = [{ constantId: 'DTH-DEF-01', value: 0.15 }];
  const { isSound, result } = await checked({ title: 'Shown ends at 0.15', constants });
  assert.equal(
    result.checks.map(({ name }) => name),
    ['bnd/bnd', 'dth/dth'],
  );
  assert.is(result.level, 'minor');
  assert.ok(result.differences.some(({ regions }) => (regions?.length ?? 0) > 0));
  assert.ok(codes(result, 'error').every((code) => /CASE_FAILED|MUTATION_SCORE_LOW/.test(code)));
  assert.is(isSound, codes(result, 'error').length === 0);
});

test('a document alone would split the constant: an error, and the exit code says so', async () => {
  const bnd = JSON.parse(fs.readFileSync(newestFile('bnd/bnd'), 'utf8'));
  const text = JSON.stringify(bnd)
    .replaceAll('"value":0.2,', '"value":0.15,')
    .replaceAll('"value":0.2}', '"value":0.15}');
  fs.writeFileSync(path.join(folder, 'bnd.json'), text);
  const documents = [{ family: 'bnd', key: 'bnd', document: 'bnd.json' }];
  const { isSound, result } = await checked({ title: 'Alone', documents });
  assert.ok(codes(result, 'error').includes('bnd/bnd CONSTANT_SPLIT'), JSON.stringify(codes(result, 'error')));
  assert.is(isSound, false);
});

test('what says nothing new is sound; an unknown constant, a value outside its range and an unknown set are not there', async () => {
  const { isSound, result } = await checked({ title: 'Nothing', documents: [{ family: 'cbm', key: 'trend' }] });
  assert.equal([isSound, result.level], [true, 'patch']);
  const refusal = (body: object) =>
    checked({ title: 'x', ...body }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  assert.match(await refusal({ constants: [{ constantId: 'NO-SUCH-01', value: 1 }] }), /no rule document holds/);
  assert.match(await refusal({ constants: [{ constantId: 'DTH-DEF-01', value: 'much' }] }), /must be a number/);
  assert.match(await refusal({ documents: [{ family: 'no', key: 'set' }] }), /there is no rule document no\/set/);
});

function newestFile(name: string): string {
  const home = path.resolve(import.meta.dirname, '../../../../rules', name);
  const versions = fs.readdirSync(home).flatMap((one) => /^(\d+)\.json$/.exec(one)?.[1] ?? []);
  return path.join(home, `${Math.max(...versions.map(Number))}.json`);
}

test.run();
