// `rules change`: checks a change from a file as the service does, on the newest shipped versions, so that rules can live in a
// repository with checks of its own. The file is the body of createRuleChange; a text may be the path of its own file.
import fs from 'node:fs/promises';
import path from 'node:path';
import { capabilities } from '#app/capabilities.ts';
import { textOnBase } from '#backoffice/workbench/changes/documents/text-of-change.ts';
import {
  domainFault,
  holdsConstant,
  rangeFault,
  withConstant,
} from '#backoffice/workbench/changes/engine/constant-value.ts';
import { compareTexts, type TextDifference } from '#backoffice/workbench/validation/compare.ts';
import { type CheckedRuleText, checkTexts } from '#backoffice/workbench/validation/engine/check.ts';
import { effectiveCases } from '#backoffice/workbench/validation/engine/inherited-cases.ts';
import { beforePublishing } from '#backoffice/workbench/validation/engine/reference-check.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { AppError } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { type DocumentName, documentName, type RuleDocument } from '#rules/rulesets/engine/document/document.ts';
import { type Finding, isError } from '#rules/rulesets/engine/document/findings.ts';
import type { AnyCase } from '#rules/rulesets/engine/golden.ts';
import { type LoadedRule, loadRules } from '#rules/rulesets/files.ts';
import { changeLevels } from '#rules/rulesets/index.ts';
import { printDiff } from './diff.ts';
import { newestOf, rulesDir } from './documents.ts';
import type { Output } from './terminal.ts';

interface ChangeFile {
  readonly title: string;
  readonly documents?: readonly {
    readonly family: string;
    readonly key: string;
    /** The text, or the path of its file from that of the change; default: the newest version. */
    readonly document?: object | string;
    readonly cases?: readonly AnyCase[] | string;
  }[];
  readonly constants?: readonly {
    readonly constantId: string;
    readonly value: number | string | boolean;
    readonly rationale?: string;
  }[];
}

const validators = documentValidators(capabilities);

export async function change([file = '']: readonly string[], out: Output): Promise<boolean> {
  const wanted = (await jsonOf(file)) as ChangeFile;
  const newest = newestOf(await loadRules(rulesDir, validators));
  const texts = await textsOf(wanted, path.dirname(file), newest);
  const active = newest.map(({ document }) => document);
  const checks = await checkTexts({ texts, active, stored: {}, effort: beforePublishing }, ruleUse(capabilities));
  const differences = differencesOf(texts);
  const level = changeLevels.find((one) => checks.some((check) => check.level === one)) ?? null;
  out.json({ title: wanted.title, level, checks, differences });
  out.line(`${wanted.title}: ${texts.length} documents, ${level ?? 'level unknown'}`);
  for (const { name, findings } of checks) out.report(name, findings);
  for (const difference of differences) printDiff(difference, out);
  return !checks.some(({ findings }) => findings.some((finding: Finding) => isError(finding)));
}

const jsonOf = async (file: string): Promise<unknown> => JSON.parse(await fs.readFile(file, 'utf8'));

/** Throws Error for a set or constant that is not shipped, and for a value that cannot stand there. */
async function textsOf(
  { documents = [], constants = [] }: ChangeFile,
  folder: string,
  newest: readonly LoadedRule[],
): Promise<CheckedRuleText[]> {
  const shipped = new Map(newest.map((rule) => [documentName(rule.document), rule]));
  const texts = new Map<DocumentName, { document: RuleDocument; cases?: unknown }>();
  const read = (part: unknown) => (typeof part === 'string' ? jsonOf(path.resolve(folder, part)) : part);
  for (const { family, key, document, cases } of documents) {
    const base = shipped.get(`${family}/${key}`)?.document;
    if (!base) throw new Error(`there is no rule document ${family}/${key}`);
    const list = await read(cases);
    texts.set(`${family}/${key}`, {
      document: ((await read(document)) as RuleDocument | undefined) ?? base,
      ...(list !== undefined && { cases: Array.isArray(list) ? list : (list as { cases: unknown }).cases }),
    });
  }
  for (const { constantId: id, ...constant } of constants) {
    const holding = [...shipped.values()].filter(({ document }) => holdsConstant(document, id));
    if (holding.length === 0) throw new Error(`no rule document holds the constant ${id}`);
    for (const { document } of holding) {
      const name = documentName(document);
      const text = texts.get(name) ?? { document };
      const fault =
        domainFault(text.document, { id, ...constant }) ?? rangeFault(validators.constants.get(id), constant.value);
      if (fault !== undefined) throw new Error(`${id} ${fault}`);
      texts.set(name, { ...text, document: withConstant(text.document, { id, ...constant }) });
    }
  }
  return [...texts].sort().map(([name, text]) => checkedText(name, text, shipped.get(name) as LoadedRule));
}

/** The text with its cases on top of those of the newest version, as the service stores it. */
function checkedText(
  name: DocumentName,
  { document, cases }: { readonly document: RuleDocument; readonly cases?: unknown },
  base: LoadedRule,
): CheckedRuleText {
  const { family, key, version } = base.document.meta;
  const baseText = { document: canonicalJson(base.document), cases: canonicalJson({ cases: base.cases }) };
  const place = { version, newest: version, isInForce: true };
  const row = textOnBase({ family, key }, place, baseText, { document, ...(cases !== undefined && { cases }) });
  const own: readonly AnyCase[] = row.cases === null ? [] : JSON.parse(row.cases).cases;
  return { name, text: row.document, cases: effectiveCases(own, base.cases), base: base.document };
}

/** A text that cannot be compared has findings that say why. */
function differencesOf(texts: readonly CheckedRuleText[]): TextDifference[] {
  return texts.flatMap(({ text, base }) => {
    if (!base) return [];
    try {
      return compareTexts([{ before: base, text }], validators);
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') return [];
      throw error;
    }
  });
}
