// Tests every regular expression of the code outside schemas on hostile texts of its own characters at their maximum
// length: at most 5 ms of processor time. A new one is tested with the length of a request line without being listed
// here.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isEmail } from '#identity/people/credentials/schemas.ts';
import { newSpan } from '#integrations/lms/values/dates.ts';
import { PatternError, parsePattern } from '#rules/language/engine/patterns/syntax.ts';
import { clusterKeyPattern, parseClusterKey } from '#support/interventions/engine/clustering/key.ts';
import { atomsOf, hostileFillings } from './fillings.ts';
import { type Found, literalsIn } from './source.ts';

const mostMs = 5;
/** A request line, the longest text that reaches a pattern without a limit of its own. */
const usualLength = 16_384;
/** Long enough to detect exponential time, short enough for the test to end. */
const shortLength = 24;
const mostRuns = 8;
const leastFillings = 10;

/**
 * Patterns that are built at run time, by file: their number, and the function through which foreign texts reach them.
 */
const built: Readonly<Record<string, Built>> = {
  'src/support/interventions/engine/clustering/key.ts': { count: 1, like: clusterKeyPattern, read: parseClusterKey },
  'src/integrations/lms/values/dates.ts': {
    count: 2,
    like: '1.1.2026 1:00 AM1/1/2026 ',
    read: (text) => newSpan().from.read(text),
  },
  'src/identity/people/credentials/schemas.ts': { count: 1, like: ' a@b.org ', read: isEmail },
  // A rule's own pattern is parsed and not run: the linear matcher tests one character at a time.
  'src/rules/language/engine/patterns/syntax.ts': { count: 2, like: '[^a-z]{1,2}(a|b)', read: parsedOrRefused },
};

function parsedOrRefused(pattern: string): unknown {
  try {
    return parsePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return undefined;
  }
}

interface Built {
  readonly count: number;
  /** A text or pattern from whose characters the hostile texts are made. */
  readonly like: string;
  readonly read: (text: string) => unknown;
}

interface Literal extends Found {
  readonly file: string;
}

const files = ['src', 'workers'].flatMap((root) =>
  (fs.readdirSync(root, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(root, name).replaceAll(path.sep, '/')),
);
const literals: readonly Literal[] = files.flatMap((file) =>
  literalsIn(fs.readFileSync(file, 'utf8')).map((found) => ({ ...found, file })),
);

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

/** Returns the time of the fastest run, because load of the machine is not work of the pattern. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < mostRuns && least > mostMs; run++) least = Math.min(least, processorMs(work));
  return least;
}

/** Returns the first hostile text that takes too long, or undefined. */
function tooSlow(source: string, flags: string, work: (text: string) => unknown): string | undefined {
  for (const text of [shortLength, usualLength].flatMap((length) => hostileFillings(source, flags, length))) {
    const ms = leastMs(() => work(text));
    if (ms > mostMs) return `${ms.toFixed(1)} ms on ${JSON.stringify(text.slice(0, 40))}…`;
  }
  return undefined;
}

test('literals are found; divisions, comments and strings are not', () => {
  assert.ok(literals.length > 150);
  const text = [
    'const a = b / c / d; // /x/',
    '/* /y/ */ f(`$',
    '{a / 2} /z/ $',
    '{/[/]\\//g.test(e)}`, "/q/"); return /w+$/u;',
  ]
    .join('\n')
    .replaceAll('$\n', '$');
  assert.equal(
    literalsIn(text).map(({ source, flags }) => `${source} ${flags}`),
    ['[/]\\/ g', 'w+$ u'],
  );
});

test('hostile texts consist of matching characters and detect a slow pattern', () => {
  assert.ok(hostileFillings('^a$', '', usualLength).length >= leastFillings);
  assert.equal(atomsOf('^a\\d+[^\\s]{2,}(?:\\p{L}|\\u0640)$', 'u'), ['a', '0', 'a', 'a', '\u0640']);
  for (const slow of ['\\s+$', '^a+b?a+$', '^(\\w+\\.?)+@', '<[^>]*>', '\\s*x=']) {
    assert.match(tooSlow(slow, '', (text) => new RegExp(slow).test(text)) ?? 'quick', / ms on /, slow);
  }
});

for (const { file, line, source, flags } of literals) {
  test(`${file}:${line} ${source}`, () => {
    const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
    assert.is(
      tooSlow(source, flags, (text) => text.replace(everywhere, '')),
      undefined,
    );
  });
}

test('every pattern that is built at run time is listed', () => {
  const counts = files.flatMap((file) => {
    const count = fs.readFileSync(file, 'utf8').split(/\bRegExp\(/).length - 1;
    return count === 0 ? [] : [[file, count]];
  });
  assert.equal(
    Object.fromEntries(counts),
    Object.fromEntries(Object.entries(built).map(([file, { count }]) => [file, count])),
  );
});

for (const [file, { like, read }] of Object.entries(built)) {
  test(`${file}: patterns built at run time`, () => assert.is(tooSlow(like, 'u', read), undefined));
}

test.run();
