// Rule documents on disk, and the lock that keeps published ones unchanged.
import { readdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { pinBundle, type RuleBundle } from './engine/bundle.ts';
import { documentId, documentName, type RuleDocument } from './engine/document/document.ts';
import { type AnyCase, type GoldenFile, parseGoldenCases } from './engine/golden.ts';
import { extendLock, FrozenError, type FrozenLock, frozenLockText, lockBreaches, unlocked } from './engine/lock.ts';
import type { DocumentValidators } from './engine/reading/document-validators.ts';
import { parseRuleDocument } from './engine/reading/parse.ts';

/** The files of one version: `<family>/<key>/<version>.json` and, beside it, `<version>.golden.json`. */
export interface RuleFile {
  /** `family/key@version`, from the path. */
  readonly id: string;
  readonly path: string;
  readonly goldenPath: string;
  readonly text: string;
  /** Null when there are no cases. */
  readonly goldenText: string | null;
}

export interface LoadedRule {
  readonly id: string;
  readonly document: RuleDocument;
  /** SHA-256 of the document's RFC 8785 text. */
  readonly sha256: string;
  readonly cases: readonly AnyCase[];
}

/** Returns every version under `rulesDir`, sorted by id, without parsing. */
export async function readRuleFiles(rulesDir: string): Promise<RuleFile[]> {
  const files = jsonFiles(rulesDir);
  const versions = files.flatMap((file) => {
    const [, family, key, version] = /^([^/]+)\/([^/]+)\/(\d+)\.json$/.exec(file) ?? [];
    return family && family !== 'content' ? [{ file, id: `${family}/${key}@${version}` }] : [];
  });
  return Promise.all(versions.map(({ file, id }) => readRuleFile(id, path.join(rulesDir, file))));
}

async function readRuleFile(id: string, documentPath: string): Promise<RuleFile> {
  const goldenPath = documentPath.replace(/\.json$/, '.golden.json');
  const text = await fs.readFile(documentPath, 'utf8');
  return { id, path: documentPath, goldenPath, text, goldenText: await readIfThere(goldenPath) };
}

/**
 * Returns all versions after checking that documents are valid, file names agree with them, and no frozen text changed.
 * Frozen documents and cases are not validated again, which took a third of every start. Without `validators` the
 * sections of unfrozen documents are not checked. Throws RuleDocumentError or FrozenError.
 */
export async function loadRules(rulesDir: string, validators = noValidators): Promise<LoadedRule[]> {
  const files = await readRuleFiles(rulesDir);
  const lock = await readLock(rulesDir);
  const breaches = lockBreaches(lock, await presentHashes(rulesDir, files));
  if (breaches.length > 0) throw new FrozenError(breaches);
  return files.map((file) => loadRule(file, validators, lock[file.id]?.sha256));
}

const noValidators: DocumentValidators = { sections: new Map(), constants: new Map() };

/**
 * Returns one file's document and cases. `frozenHash` is the hash in the lock if the text has been compared with it; such a
 * document is not validated. Throws RuleDocumentError, and Error when path and document disagree.
 */
export function loadRule(file: RuleFile, validators: DocumentValidators, frozenHash?: string): LoadedRule {
  const document =
    frozenHash === undefined
      ? parseRuleDocument(file.text, validators, file.path)
      : (JSON.parse(file.text) as RuleDocument);
  if (documentId(document) !== file.id) throw new Error(`${file.path} holds ${documentId(document)}`);
  const sha256 = frozenHash ?? canonicalHash(document);
  return { id: file.id, document, sha256, cases: casesOf(file, frozenHash !== undefined) };
}

/** Cases have been checked before they were frozen, like their document. */
function casesOf({ goldenText, goldenPath }: RuleFile, frozen: boolean): readonly AnyCase[] {
  if (goldenText === null) return [];
  return frozen ? (JSON.parse(goldenText) as GoldenFile).cases : parseGoldenCases(goldenText, goldenPath);
}

/** Returns a bundle of the newest version of each document. Throws as `loadRules` does. */
export const loadNewestBundle = async (rulesDir: string): Promise<RuleBundle> =>
  newestBundle(await loadRules(rulesDir));

export function newestBundle(rules: readonly LoadedRule[]): RuleBundle {
  const newest = new Map<string, RuleDocument>();
  for (const { document } of rules) {
    const known = newest.get(documentName(document));
    if (!known || known.meta.version < document.meta.version) newest.set(documentName(document), document);
  }
  return pinBundle([...newest.values()]);
}

const lockPath = (rulesDir: string) => path.join(rulesDir, 'frozen.lock');

/** Reads the lock; it is empty when the file is absent. */
export async function readLock(rulesDir: string): Promise<FrozenLock> {
  const text = await readIfThere(lockPath(rulesDir));
  return text === null ? {} : (JSON.parse(text) as FrozenLock);
}

/**
 * Freezes all unfrozen versions or the given ids and returns the new ids. Throws FrozenError when a frozen text
 * changed, and as `loadRule` does for a new one, since frozen documents are never validated again.
 */
export async function freezeRules(
  rulesDir: string,
  validators: DocumentValidators,
  only: readonly string[] = [],
): Promise<string[]> {
  const lock = await readLock(rulesDir);
  const files = await readRuleFiles(rulesDir);
  const present = await presentHashes(rulesDir, files);
  const added = unlocked(lock, present).filter((id) => only.length === 0 || only.includes(id));
  for (const file of files) if (added.includes(file.id)) loadRule(file, validators);
  await fs.writeFile(lockPath(rulesDir), frozenLockText(extendLock(lock, present, added)));
  return added;
}

/** Returns the hashes of the files on disk: rule versions, and content files named `<name>.v<version>.json`. */
export async function presentHashes(rulesDir: string, files: readonly RuleFile[]): Promise<FrozenLock> {
  const rules = files.map(({ id, text, goldenText }) => [
    id,
    { sha256: textHash(text), goldenSha256: goldenText === null ? null : textHash(goldenText) },
  ]);
  return Object.fromEntries([...rules, ...(await contentHashes(rulesDir))]);
}

/** Large generated files with stable bytes: canonicalizing them would take longer than the rest of a start. */
const byBytes = /^content\/blueprints@/;

/** A content file is identified by its folder, `content/item-bank@1`: one document per folder. */
async function contentHashes(rulesDir: string): Promise<[string, FrozenLock[string]][]> {
  const found = jsonFiles(rulesDir).flatMap((file) => {
    const [, folder, version] = /^(content\/.+)\/[^/]+\.v(\d+)\.json$/.exec(file) ?? [];
    return folder ? [{ file, id: `${folder}@${version}` }] : [];
  });
  const twice = found.find(({ id }, index) => found.findIndex((other) => other.id === id) < index);
  if (twice) throw new Error(`${twice.file}: a second content file ${twice.id}; give it a folder of its own`);
  return Promise.all(
    found.map(async ({ file, id }) => {
      const bytes = await fs.readFile(path.join(rulesDir, file));
      const sha256 = byBytes.test(id) ? sha256Hex(bytes) : textHash(bytes.toString());
      return [id, { sha256, goldenSha256: null }] as [string, FrozenLock[string]];
    }),
  );
}

const textHash = (text: string): string => canonicalHash(JSON.parse(text));

/** Returns sorted paths below `rulesDir` with forward slashes; reading at once takes a quarter of the time. */
function jsonFiles(rulesDir: string): string[] {
  return readdirSync(rulesDir, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.json'))
    .sort();
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
