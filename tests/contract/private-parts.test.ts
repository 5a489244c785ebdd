// Private parts of packages are used only where docs/private-parts.md lists them.
import { execFileSync } from 'node:child_process';
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

/** Returns the files of the service, workers and scripts that contain one of the texts. */
function filesWith(texts: readonly string[]): string[] {
  const patterns = texts.flatMap((text) => ['-e', text]);
  const found = execFileSync('git', ['grep', '-lF', ...patterns, '--', 'src', 'workers', 'scripts'], {
    encoding: 'utf8',
  });
  return found.trim().split('\n');
}

for (const { name, written, files, tests } of rows) {
  test(name, () => {
    assert.ok(written.length > 0 && tests.length > 0);
    assert.equal(filesWith(written), [...files].sort());
    for (const file of tests) assert.ok(fs.existsSync(file), file);
  });
}

test.run();
