// The rules on the command line: check the documents, run their golden cases, freeze them, ask them a question.
import fs from 'node:fs/promises';
import path from 'node:path';
import { compileTable } from '../src/rulesets/engine/compile.ts';
import { collect, decide, traceUntil } from '../src/rulesets/engine/decide.ts';
import { documentName, type Facts, isTable, type RuleDocument } from '../src/rulesets/engine/document.ts';
import { type Finding, findingLine, isError } from '../src/rulesets/engine/findings.ts';
import { goldenFindings, goldenText } from '../src/rulesets/engine/golden.ts';
import { lockBreaches, unlocked } from '../src/rulesets/engine/lock.ts';
import { checkRuleText } from '../src/rulesets/engine/parse.ts';
import { witnessCases } from '../src/rulesets/engine/witness.ts';
import {
  freezeRules,
  loadNewestBundle,
  loadRule,
  loadRules,
  presentHashes,
  type RuleFile,
  readLock,
  readRuleFiles,
} from '../src/rulesets/files.ts';

const rulesDir = path.resolve(import.meta.dirname, '../rules');

const usage = `npm run rules -- <command>
  lint                         strict checks of every document, warnings too
  test                         golden cases of every decision table
  witness [family/key@v …]     write the golden cases of tables that are not frozen
  freeze [family/key@v …]      add what is new to rules/frozen.lock, for good
  verify                       lint, test, and nothing frozen changed
  try family/key[@v] '{"…"}'   decide one set of facts, with the trace`;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<boolean>>> = {
  lint,
  test: runCases,
  witness: writeWitnesses,
  freeze,
  verify,
  try: tryFacts,
};

/** Prints the findings of every document. True when there is no error. */
async function lint(): Promise<boolean> {
  let isClean = true;
  for (const file of await readRuleFiles(rulesDir)) {
    const findings = checkRuleText(file.text);
    report(file.id, findings);
    isClean &&= !findings.some(isError);
  }
  if (isClean) await loadNewestBundle(rulesDir);
  return isClean;
}

async function runCases(): Promise<boolean> {
  let isClean = true;
  for (const { id, document, cases } of await loadRules(rulesDir)) {
    if (!isTable(document)) continue;
    const findings = goldenFindings(compileTable(document), cases);
    report(`${id}, ${cases.length} cases`, findings);
    if (cases.length === 0) console.log(`  no cases; run: npm run rules -- witness ${id}`);
    isClean &&= cases.length > 0 && findings.length === 0;
  }
  return isClean;
}

async function writeWitnesses(ids: readonly string[]): Promise<boolean> {
  const lock = await readLock(rulesDir);
  const files = await readRuleFiles(rulesDir);
  for (const file of files.filter(({ id }) => !Object.hasOwn(lock, id) && (ids.length === 0 || ids.includes(id)))) {
    await writeWitnessesOf(file);
  }
  const refused = ids.filter((id) => Object.hasOwn(lock, id) || !files.some((file) => file.id === id));
  for (const id of refused) console.error(`${id} is frozen or unknown`);
  return refused.length === 0;
}

async function writeWitnessesOf(file: RuleFile): Promise<void> {
  const { id, document } = loadRule({ ...file, goldenText: null });
  if (!isTable(document)) return;
  const cases = witnessCases(compileTable(document));
  await fs.writeFile(file.goldenPath, goldenText(cases));
  console.log(`${id}: ${cases.length} cases written; read them before you freeze`);
}

async function freeze(ids: readonly string[]): Promise<boolean> {
  const isClean = (await lint()) && (await runCases());
  if (!isClean) return false;
  const added = await freezeRules(rulesDir, ids);
  console.log(added.length === 0 ? 'nothing new to freeze' : `frozen: ${added.join(', ')}`);
  return true;
}

async function verify(): Promise<boolean> {
  const lock = await readLock(rulesDir);
  const present = await presentHashes(rulesDir, await readRuleFiles(rulesDir));
  const breaches = [...lockBreaches(lock, present), ...unlocked(lock, present).map((id) => `${id} is not frozen`)];
  for (const line of breaches) console.error(line);
  return breaches.length === 0 && (await lint()) && (await runCases());
}

async function tryFacts([name = '', factsText = '{}']: readonly string[]): Promise<boolean> {
  const document = await findDocument(name);
  if (!document || !isTable(document)) throw new Error(`there is no decision table ${name}`);
  const table = compileTable(document);
  const facts = JSON.parse(factsText) as Facts;
  const isFirst = document.meta.hitPolicy === 'first';
  const answer = isFirst
    ? decide(table, facts, { trace: true })
    : { hits: collect(table, facts), trace: traceUntil(table, facts) };
  console.log(JSON.stringify(answer, null, 2));
  return true;
}

/** `family/key@2`, or the newest version of `family/key`. */
async function findDocument(name: string): Promise<RuleDocument | undefined> {
  const [wanted, version] = name.split('@');
  return (await loadRules(rulesDir))
    .map(({ document }) => document)
    .filter((document) => documentName(document) === wanted)
    .filter(({ meta }) => version === undefined || meta.version === Number(version))
    .sort((left, right) => right.meta.version - left.meta.version)[0];
}

function report(subject: string, findings: readonly Finding[]): void {
  console.log(`${findings.some(isError) ? 'FAILED' : 'ok    '} ${subject}`);
  for (const finding of findings) console.log(`  ${findingLine(finding)}`);
}

const [command = '', ...args] = process.argv.slice(2);
const run = commands[command];
if (!run) console.error(usage);
try {
  process.exitCode = run && (await run(args)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
