// What the rules say of a whole batch. Thousands of texts are read for it: no transaction is open, and others get their turn
// between them.
import { setImmediate } from 'node:timers/promises';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { checkText } from '#rules/language/index.ts';
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileBlueprints } from '../engine/findings.ts';
import { textsOf } from '../engine/texts.ts';
import type { BatchReport, ReportedFinding } from '../report.ts';
import type { HashedBlueprint } from '../rows/publish.ts';
import type { Blueprint } from '../schemas.ts';

export interface JudgedBatch {
  readonly report: BatchReport;
  readonly blueprints: readonly HashedBlueprint[];
}

/** What the answer lists; the counts are of all. */
const mostListed = 1_000;
/** Others wait no longer than this and one text, in milliseconds of the machine's clock. */
const turnMs = 5;

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
const blueprintRules = perBundle(compileBlueprints, 'A rule document of session blueprints is missing.');

/** `published`: by code, the hash of the version in force. Throws ENGINE_UNAVAILABLE without rules or language rules. */
export async function judgeBatch(
  bundle: RuleBundle,
  batch: readonly Blueprint[],
  published: ReadonlyMap<string, { readonly contentHash: string }>,
): Promise<JudgedBatch> {
  const ask = blueprintRules(bundle);
  const turn = turnTaker();
  const unsafeIn = unsafeTextsFinder(bundle, turn);
  const standing = countsOf(batch.map(({ blueprintCode }) => blueprintCode));
  const blueprints: HashedBlueprint[] = [];
  const findings: ReportedFinding[] = [];
  for (const [at, content] of batch.entries()) {
    const hash = canonicalHash(content);
    const { blueprintCode: code } = content;
    const question = {
      blueprint: content,
      sameCodes: standing.get(code) ?? 1,
      samePublished: published.get(code)?.contentHash === hash,
      unsafeTexts: await unsafeIn(content),
    };
    blueprints.push({ content, hash });
    for (const { path, ...finding } of ask(question)) {
      findings.push({ ...finding, path: ['blueprints', at, path].filter((part) => part !== '').join('.') });
    }
    await turn();
  }
  return { report: reportOf(batch.length, findings), blueprints };
}

function countsOf(codes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** A text that was read once is not read again: batches repeat themselves. */
function unsafeTextsFinder(bundle: RuleBundle, turn: () => Promise<void>) {
  const known = new Map<string, boolean>();
  return async (content: Blueprint): Promise<string[]> => {
    const unsafe: string[] = [];
    for (const { path, text, tier } of textsOf(content)) {
      const key = `${tier} ${text}`;
      const safe = known.get(key) ?? checkText(bundle, text, tier).safe;
      known.set(key, safe);
      if (!safe) unsafe.push(path);
      await turn();
    }
    return unsafe;
  };
}

function turnTaker(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await setImmediate();
    since = performance.now();
  };
}

function reportOf(blueprints: number, all: readonly ReportedFinding[]): BatchReport {
  const errors = all.filter(({ level }) => level === 'error');
  const warnings = all.filter(({ level }) => level === 'warning');
  const findings = all.length <= mostListed ? all : [...errors, ...warnings].slice(0, mostListed);
  return { blueprints, errors: errors.length, warnings: warnings.length, findings: [...findings] };
}
