// Checks the imports of `src/` and `workers/` against the layers, the public APIs of capabilities and the purity of engines.
import path from 'node:path';
import { cycleFindings } from './cycles.ts';
import { domainWords, type Exception, layers, retiredWords, sharedFolders, withoutDomain } from './layers.ts';
import { isEngine, purityFindings } from './purity.ts';
import { importsOf, type Sources } from './sources.ts';

/**
 * The files that compose the service: those directly in `src/app/`, `src/main.ts` and the workers. They are above every layer.
 */
const top = 'top';

/** `src/<area>/<capability>/…` → `<area>/<capability>`. */
export function folderOf(file: string): string {
  const [root, area, capability, ...rest] = file.split('/');
  return root === 'src' && capability !== undefined && rest.length > 0 ? `${area}/${capability}` : top;
}

/** Returns the findings; none if the imports are in order. An exception that excuses nothing is a finding too. */
export function importFindings(sources: Sources, exceptions: readonly Exception[]): string[] {
  const found = new Set(
    [...sources].flatMap(([file, text]) => [...directionFindings(file, text), ...wordsOf(file, text)]),
  );
  for (const line of [...cycleFindings(sources), ...purityFindings(sources)]) found.add(line);
  const stale = exceptions.filter(({ finding }) => !found.has(finding));
  for (const { finding } of exceptions) found.delete(finding);
  return [...found, ...stale.map(({ finding }) => `an exception that is not needed: ${finding}`)].sort();
}

function directionFindings(file: string, text: string): string[] {
  const own = folderOf(file);
  if (layerOf(own) === undefined) return [`src/${own}: is on no layer (scripts/check/imports/layers.ts)`];
  return importsOf(file, text).flatMap((target) => importFindingsOf(file, own, target));
}

function importFindingsOf(file: string, own: string, target: string): string[] {
  const other = folderOf(target);
  const [index, engine] = [`src/${other}/index.ts`, `src/${other}/engine/index.ts`];
  if (other === own) {
    const isOwnIndex = own !== top && (target === index || (target === engine && file !== index));
    return isOwnIndex ? [`${file}: imports its own ${path.posix.basename(path.posix.dirname(target))}/index.ts`] : [];
  }
  if ((layerOf(other) ?? Number.POSITIVE_INFINITY) >= (layerOf(own) ?? 0)) {
    return [`${file}: imports upwards or sideways: ${target}`];
  }
  if (sharedFolders.has(other) || target === engine || (target === index && !isEngine(file))) return [];
  return [`${file}: bypasses ${isEngine(file) ? engine : index} with ${target}`];
}

function layerOf(folder: string): number | undefined {
  if (folder === top) return layers.length;
  const layer = layers.findIndex((names) => names.includes(folder));
  return layer < 0 ? undefined : layer;
}

function wordsOf(file: string, text: string): string[] {
  const used = new Set([...words(file), ...words(withoutTexts(text))]);
  const domain = withoutDomain.has(folderOf(file)) ? domainWords : [];
  return [
    ...domain
      .filter((word) => used.has(word) || used.has(`${word}s`))
      .map((word) => `${file}: uses the domain word "${word}"`),
    ...Object.entries(retiredWords)
      .filter(([word]) => used.has(word))
      .map(([word, own]) => `${file}: uses "${word}" instead of ${own}`),
  ];
}

/** `skillStatusOf` → skill, status, of */
const words = (text: string): string[] =>
  (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const withoutTexts = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, ' ');
