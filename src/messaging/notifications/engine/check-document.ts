// Checks of a kind's document beyond its schema before it may be in force: its variables can be filled, and its cases hold.
import { errorFinding, type Finding, type ValueQuestion } from '#rules/rulesets/engine/index.ts';
import { codeWordsFor, textFindings } from './check-texts.ts';
import { compileKind, type KindDocument } from './kinds.ts';
import {
  codeVariables,
  fieldFor,
  fillNotice,
  isMalformed,
  type NoticeWords,
  staffVariables,
  variablesIn,
} from './template.ts';

/** Pure. `document` has passed the schema of the family. */
export function kindFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  const kind = document as unknown as KindDocument;
  const early = [...nameFindings(kind), ...payloadFindings(kind), ...templateFindings(kind), ...textFindings(kind)];
  return early.length > 0 ? early : cases.flatMap((one) => caseFindings(kind, one));
}

const nameFindings = ({ kind, meta: { key } }: KindDocument): Finding[] =>
  kind.replaceAll('_', '-') === key
    ? []
    : [errorFinding('SCHEMA', 'kind_misnamed', { key, kind: key.replaceAll('-', '_') })];

const payloadFindings = ({ payloadSchema: { required, properties } }: KindDocument): Finding[] =>
  required
    .filter((field) => !Object.hasOwn(properties, field))
    .map((field) => errorFinding('SCHEMA', 'field_undescribed', { field }));

const templates = ['titleTemplateAr', 'bodyTemplateAr'] as const;

function templateFindings(kind: KindDocument): Finding[] {
  const { required } = kind.payloadSchema;
  return templates.flatMap((part) => {
    const template = kind[part];
    const names = variablesIn(template);
    const unfilled = names.filter((name) => !required.includes(fieldFor(kind.kind, name)));
    const wordless = codeVariables.filter((name) => names.includes(name) && !kind.words?.[name]);
    const ofStaff = kind.defaultPersona === 'PARENT' ? names.filter((name) => staffVariables.includes(name)) : [];
    return [
      ...(isMalformed(template) ? [errorFinding('SCHEMA', 'template_malformed', { part })] : []),
      ...unfilled.map((name) =>
        errorFinding('SCHEMA', 'variable_unfilled', { part, variable: name, field: fieldFor(kind.kind, name) }),
      ),
      ...wordless.map((name) => errorFinding('SCHEMA', 'variable_wordless', { part, variable: name })),
      ...ofStaff.map((name) => errorFinding('SCHEMA', 'variable_of_staff', { part, variable: name })),
    ];
  });
}

interface KindCase {
  readonly name: string;
  readonly payload: object;
  readonly words: NoticeWords;
  readonly titleAr: string;
  readonly bodyAr: string;
}

const members = ['name', 'payload', 'words', 'titleAr', 'bodyAr', 'acceptedChange'];

/**
 * The payload of the case fits, and the texts filled with its words and with the document's words for codes are the expected
 * ones.
 */
function caseFindings(kind: KindDocument, one: ValueQuestion['cases'][number]): Finding[] {
  const { name } = one;
  if (!isKindCase(one)) {
    const held = 'name, payload, words, titleAr and bodyAr';
    return [errorFinding('CASE_FAILED', 'members', { case: name, members: held })];
  }
  if (!compileKind(kind).fits(one.payload)) return [errorFinding('CASE_FAILED', 'payload_unfit', { case: name })];
  const words: NoticeWords = { ...one.words, ...codeWordsFor(kind, one.payload) };
  const wordless = templates.flatMap((part) => variablesIn(kind[part])).find((name) => words[name] === undefined);
  if (wordless !== undefined) {
    return [errorFinding('CASE_FAILED', 'variable_wordless', { case: name, variable: wordless })];
  }
  const rendered = { titleAr: fillNotice(kind.titleTemplateAr, words), bodyAr: fillNotice(kind.bodyTemplateAr, words) };
  if (rendered.titleAr === one.titleAr && rendered.bodyAr === one.bodyAr) return [];
  const expected = JSON.stringify([one.titleAr, one.bodyAr]);
  const answer = JSON.stringify([rendered.titleAr, rendered.bodyAr]);
  return [errorFinding('CASE_FAILED', 'answered_otherwise', { case: name, expected, answer })];
}

function isKindCase(value: object): value is KindCase {
  const one = value as Partial<Record<keyof KindCase, unknown>>;
  return (
    Object.keys(value).every((member) => members.includes(member)) &&
    [one.name, one.titleAr, one.bodyAr].every((member) => typeof member === 'string') &&
    [one.payload, one.words].every((member) => typeof member === 'object' && member !== null && !Array.isArray(member))
  );
}
