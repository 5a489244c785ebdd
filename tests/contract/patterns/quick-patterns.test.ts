// Every regular expression of the code outside schemas, on hostile texts made of its own characters at its greatest length:
// at most 5 ms of processor time. A new one is held against the length of a line of a request without being named here.
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
/** A line of a request, the longest text that reaches a pattern without a bound of its own. */
const usualLength = 16_384;
/** Enough for a pattern that takes exponential time to be named before it takes for ever. */
const shortLength = 24;
const mostRuns = 8;
const leastFillings = 10;

/** Patterns that are put together, by file: how many there are, and the door through which texts of others reach them. */
const built: Readonly<Record<string, Built>> = {
  'src/support/interventions/engine/clustering/key.ts': { count: 1, like: clusterKeyPattern, read: parseClusterKey },
  'src/integrations/lms/values/dates.ts': {
    count: 2,
    like: '1.1.2026 1:00 AM1/1/2026 ',
    read: (text) => newSpan().from.read(text),
  },
  'src/identity/people/credentials/schemas.ts': { count: 1, like: ' a@b.org ', read: isEmail },
  // A rule's own pattern is compiled and not run: the linear matcher reads it, and asks for one character at a time.
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
  /** A text or pattern whose characters the hostile texts are made of. */
  readonly like: string;
  readonly read: (text: string) => unknown;
}

interface Place extends Found {
  readonly file: string;
}

const files = ['src', 'workers'].flatMap((root) =>
  (fs.readdirSync(root, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(root, name).replaceAll(path.sep, '/')),
);
const places: readonly Place[] = files.flatMap((file) =>
  literalsIn(fs.readFileSync(file, 'utf8')).map((found) => ({ ...found, file })),
);

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

/** Of the fastest run: what the machine does beside it is no work of the pattern. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < mostRuns && least > mostMs; run++) least = Math.min(least, processorMs(work));
  return least;
}

/** The first hostile text that takes too long; undefined where none does. */
function tooSlow(source: string, flags: string, work: (text: string) => unknown): string | undefined {
  for (const text of [shortLength, usualLength].flatMap((length) => hostileFillings(source, flags, length))) {
    const ms = leastMs(() => work(text));
    if (ms > mostMs) return `${ms.toFixed(1)} ms on ${JSON.stringify(text.slice(0, 40))}…`;
  }
  return undefined;
}

test('the walk finds literals, and divisions, comments and texts are none', () => {
  assert.ok(places.length > 150);
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

test('hostile texts are made of what a pattern takes, and find a slow one', () => {
  assert.ok(hostileFillings('^a$', '', usualLength).length >= leastFillings);
  assert.equal(atomsOf('^a\\d+[^\\s]{2,}(?:\\p{L}|\\u0640)$', 'u'), ['a', '0', 'a', 'a', '\u0640']);
  for (const slow of ['\\s+$', '^a+b?a+$', '^(\\w+\\.?)+@', '<[^>]*>', '\\s*x=']) {
    assert.match(tooSlow(slow, '', (text) => new RegExp(slow).test(text)) ?? 'quick', / ms on /, slow);
  }
});

for (const { file, line, source, flags } of places) {
  test(`${file}:${line} ${source}`, () => {
    const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
    assert.is(
      tooSlow(source, flags, (text) => text.replace(everywhere, '')),
      undefined,
    );
  });
}

test('every pattern that is put together is listed', () => {
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
  test(`${file}: what is put together`, () => assert.is(tooSlow(like, 'u', read), undefined));
}

test.run();
