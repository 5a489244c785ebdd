// The texts of a live question: over the versions in force first other versions, then those of a change, then constants, and last
// unsaved texts.
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { DocumentName, FactValue, RuleBundle, RuleDocument } from '#rules/rulesets/index.ts';
import { documentName } from '#rules/rulesets/index.ts';
import { versionTexts } from '../changes/bases.ts';
import { domainFault, holdsConstant, withConstant } from '../changes/engine/constant-value.ts';
import { documentsOf, findChange, nameOfDocument } from '../changes/store.ts';
import { canonicalText, isSameContent, metaOf } from '../changes/text.ts';

export interface ProposedRules {
  readonly changeId?: string;
  readonly versions?: Readonly<Record<string, number>>;
  readonly constants?: readonly { readonly constantId: string; readonly value: FactValue }[];
  readonly documents?: readonly { readonly family: string; readonly key: string; readonly document: object }[];
}

export interface ProposedText {
  readonly name: DocumentName;
  /** Its version is another one than that in force. */
  readonly text: string;
}

/** Parsed JSON of an unchecked text. */
type Text = RuleDocument;

/**
 * Returns the texts that say something else than those in force, by name. Throws VALIDATION_ERROR for an unknown change, version or
 * constant, a value outside the domain of a fact, and a document of another set.
 */
export async function proposedTexts(trx: Trx, proposed: ProposedRules, inForce: RuleBundle): Promise<ProposedText[]> {
  const pinned = new Map(inForce.documents.map((one) => [documentName(one), one]));
  const texts = new Map<DocumentName, Text>();
  for (const [name, text] of await textsOfVersions(trx, proposed.versions ?? {})) texts.set(name, text);
  for (const [name, text] of await textsOfChange(trx, proposed.changeId)) texts.set(name, text);
  for (const [at, constant] of (proposed.constants ?? []).entries()) {
    const named = new Map([...pinned, ...texts]);
    for (const [name, text] of withValue(named, constant, `constants.${at}`)) texts.set(name, text);
  }
  for (const [at, sent] of (proposed.documents ?? []).entries()) {
    texts.set(nameOfDocument(sent), sentText(sent, `documents.${at}`));
  }
  return [...texts].sort(byName).flatMap(([name, text]) => differingText(name, text, pinned.get(name)));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

async function textsOfVersions(trx: Trx, versions: Readonly<Record<string, number>>) {
  const ids = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const found = await versionTexts(trx, ids);
  return Object.entries(versions).map(([name, version]): [DocumentName, Text] => {
    const text = found.get(`${name}@${version}`);
    if (!text) throw invalid(`versions.${name}`, 'is no published version');
    return [name as DocumentName, JSON.parse(text.document) as Text];
  });
}

async function textsOfChange(trx: Trx, changeId: string | undefined): Promise<[DocumentName, Text][]> {
  if (changeId === undefined) return [];
  if (!(await findChange(trx, changeId))) throw invalid('changeId', 'is no change');
  const documents = await documentsOf(trx, [changeId]);
  return documents.map((one) => [nameOfDocument(one), JSON.parse(one.document) as Text]);
}

function withValue(
  documents: ReadonlyMap<DocumentName, Text>,
  { constantId: id, value }: { readonly constantId: string; readonly value: FactValue },
  field: string,
): [DocumentName, Text][] {
  const holding = [...documents].filter(([, text]) => isRecord(text.constants) && holdsConstant(text, id));
  if (holding.length === 0) throw invalid(`${field}.constantId`, 'is held by no document');
  return holding.map(([name, text]) => {
    const fault = faultIn(text, { id, value });
    if (fault !== undefined) throw invalid(`${field}.value`, fault);
    return [name, withConstant(text, { id, value })];
  });
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A text of a change may be malformed, which the engine finds later. */
function faultIn(text: Text, constant: Parameters<typeof domainFault>[1]): string | undefined {
  try {
    return domainFault(text, constant);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function sentText({ family, key, document }: { family: string; key: string; document: object }, field: string): Text {
  const meta = metaOf(document);
  if (meta.family !== undefined && meta.family !== family)
    throw invalid(`${field}.document.meta.family`, `must be ${family}`);
  if (meta.key !== undefined && meta.key !== key) throw invalid(`${field}.document.meta.key`, `must be ${key}`);
  return { ...document, meta: { version: 1, ...meta, family, key } } as unknown as Text;
}

/** A text that says what is in force says nothing; another one has another version, by which it is told from it. */
function differingText(name: DocumentName, text: Text, inForce: RuleDocument | undefined): ProposedText[] {
  const { version } = inForce?.meta ?? { version: 0 };
  const own = text.meta.version === version ? { ...text, meta: { ...text.meta, version: version + 1 } } : text;
  const proposed = canonicalText(own, name);
  if (inForce && isSameContent(canonicalJson(inForce), proposed)) return [];
  return [{ name, text: proposed }];
}
