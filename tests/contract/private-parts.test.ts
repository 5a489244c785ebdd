// Private parts of packages are used only where docs/private-parts.md lists them.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const rows = fs
  .readFileSync('docs/private-parts.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => {
    const [packages = '', part = '', written, files, tests] = line.split('|').slice(1);
    return { name: `${packages}:${part}`, written: codeIn(written), files: codeIn(files), tests: codeIn(tests) };
  });

const sources = ['src', 'workers', 'scripts'].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$|\.mjs$/.test(name))
    .map((name) => ({ file: `${folder}/${name}`, text: fs.readFileSync(`${folder}/${name}`, 'utf8') })),
);

/** Returns the files of the service, workers and scripts that contain one of the texts. */
const filesWith = (texts: readonly string[]): string[] =>
  sources
    .filter(({ text }) => texts.some((one) => text.includes(one)))
    .map(({ file }) => file)
    .sort();

for (const { name, written, files, tests } of rows) {
  test(name, () => {
    assert.ok(written.length > 0 && tests.length > 0);
    assert.equal(filesWith(written), [...files].sort());
    for (const file of tests) assert.ok(fs.existsSync(file), file);
  });
}

test.run();
