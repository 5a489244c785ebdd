// `rules freeze` and `rules verify`: adds documents to the lock, and verifies all documents against it.
import { capabilities } from '#app/capabilities.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { lockBreaches, unlocked } from '#rules/rulesets/engine/lock.ts';
import { freezeRules, presentHashes, readLock, readRuleFiles } from '#rules/rulesets/files.ts';
import { runAll } from './cases.ts';
import { rulesDir } from './documents.ts';
import { isClean, lintAll } from './lint.ts';
import type { Output } from './terminal.ts';

export async function freeze(ids: readonly string[], out: Output): Promise<boolean> {
  const checks = await check(out);
  const added = checks.isClean ? await freezeRules(rulesDir, documentValidators(capabilities), ids) : [];
  if (checks.isClean) out.line(added.length === 0 ? 'nothing new to freeze' : `frozen: ${added.join(', ')}`);
  out.json({ ...checks, added });
  return checks.isClean;
}

export async function verify(_args: readonly string[], out: Output): Promise<boolean> {
  const lock = await readLock(rulesDir);
  const present = await presentHashes(rulesDir, await readRuleFiles(rulesDir));
  const breaches = [...lockBreaches(lock, present), ...unlocked(lock, present).map((id) => `${id} is not frozen`)];
  for (const line of breaches) console.error(line);
  const checks = await check(out);
  out.json({ breaches, ...checks });
  return breaches.length === 0 && checks.isClean;
}

/** Runs the cases unless lint has refused a document. */
async function check(out: Output) {
  const linted = await lintAll(out);
  const cases = isClean(linted) ? await runAll(out) : [];
  return { isClean: isClean(linted) && isClean(cases), linted, cases };
}
