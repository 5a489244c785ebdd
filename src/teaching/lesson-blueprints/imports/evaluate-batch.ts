// Evaluation of a whole batch by the rules. It checks thousands of texts, so it runs while no transaction is open and yields
// to the event loop.
import { setImmediate } from 'node:timers/promises';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { checkText } from '#rules/language/index.ts';
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileBlueprints } from '../engine/findings.ts';
import { blueprintTextsOf } from '../engine/texts.ts';
import type { BatchReport, ReportedFinding } from '../report.ts';
import type { HashedBlueprint } from '../rows/publish.ts';
import type { Blueprint } from '../schemas.ts';

export interface EvaluatedBatch {
  readonly report: BatchReport;
  readonly blueprints: readonly HashedBlueprint[];
}

/** Maximum number of findings in a report; the counts include all findings. */
const maxListed = 1_000;
/** The event loop is blocked for at most this time, in milliseconds, plus one text. */
const sliceMs = 5;

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
const blueprintRules = perBundle(compileBlueprints, 'A rule document of lesson blueprints is missing.');

/**
 * Evaluates all blueprints. `published` has the content hash of the active version by code. Throws ENGINE_UNAVAILABLE when
 * rules or language rules are missing.
 */
export async function evaluateBatch(
  bundle: RuleBundle,
  batch: readonly Blueprint[],
  published: ReadonlyMap<string, { readonly contentHash: string }>,
): Promise<EvaluatedBatch> {
  const evaluate = blueprintRules(bundle);
  const pause = eventLoopYielder();
  const unsafeIn = unsafeTextsFinder(bundle, pause);
  const codeCounts = countsOf(batch.map(({ blueprintCode }) => blueprintCode));
  const blueprints: HashedBlueprint[] = [];
  const findings: ReportedFinding[] = [];
  for (const [at, content] of batch.entries()) {
    const hash = canonicalHash(content);
    const { blueprintCode: code } = content;
    const input = {
      blueprint: content,
      sameCodes: codeCounts.get(code) ?? 1,
      samePublished: published.get(code)?.contentHash === hash,
      unsafeTexts: await unsafeIn(content),
    };
    blueprints.push({ content, hash });
    for (const { path, ...finding } of evaluate(input)) {
      findings.push({ ...finding, path: ['blueprints', at, path].filter((part) => part !== '').join('.') });
    }
    await pause();
  }
  return { report: reportOf(batch.length, findings), blueprints };
}

function countsOf(codes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** Caches results by text, because the blueprints of a batch repeat texts. */
function unsafeTextsFinder(bundle: RuleBundle, pause: () => Promise<void>) {
  const known = new Map<string, boolean>();
  return async (content: Blueprint): Promise<string[]> => {
    const unsafe: string[] = [];
    for (const { path, text, tier } of blueprintTextsOf(content)) {
      const key = `${tier} ${text}`;
      const safe = known.get(key) ?? checkText(bundle, text, tier).safe;
      known.set(key, safe);
      if (!safe) unsafe.push(path);
      await pause();
    }
    return unsafe;
  };
}

function eventLoopYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

function reportOf(blueprints: number, all: readonly ReportedFinding[]): BatchReport {
  const errors = all.filter(({ level }) => level === 'error');
  const warnings = all.filter(({ level }) => level === 'warning');
  const findings = all.length <= maxListed ? all : [...errors, ...warnings].slice(0, maxListed);
  return { blueprints, errors: errors.length, warnings: warnings.length, findings: [...findings] };
}
