// The schemas of findings: for each code the arguments of each of its issues.
import Type, { type TSchema } from 'typebox';
import { named, object } from '#core/http/schemas.ts';
import { argumentsIn, type FindingCode, findingTexts } from './engine/document/finding-texts.ts';
import { findingCodes } from './engine/document/findings.ts';

const text = Type.String();
const value = Type.Union([text, Type.Number(), Type.Boolean(), Type.Null()]);
const texts = Type.Array(text);
const schemaOf = { '': text, '#': Type.Number(), '?': value, '!': value, '*': texts, '"': texts };

/** `MUTATION_SCORE_LOW` → `MutationScoreLowArgs`. */
const nameOf = (code: FindingCode): string =>
  `${code.replaceAll(/([A-Z])([A-Z]*)_?/g, (_, first: string, others: string) => first + others.toLowerCase())}Args`;

function issueSchema(issue: string, message: string): TSchema {
  const args = argumentsIn(message).map(({ name, mark }) => [name, schemaOf[mark]] as const);
  return object({ issue: Type.Literal(issue), ...Object.fromEntries(args) }, { description: message });
}

function argsOf(code: FindingCode): TSchema {
  const issues = Object.entries(findingTexts[code]).map(([issue, message]) => issueSchema(issue, message));
  return named(nameOf(code), issues.length === 1 && issues[0] ? issues[0] : Type.Union(issues));
}

const argsByCode = findingCodes.map((code) => [code, argsOf(code)] as const);

/** The fields that each finding has beside its level, closed for each code; `more` are those of one kind of finding. */
export const findingView = (more: Readonly<Record<string, TSchema>>): TSchema =>
  Type.Union(
    argsByCode.map(([code, args]) =>
      object({
        level: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
        code: Type.Literal(code),
        ruleIds: texts,
        message: text,
        args,
        ...more,
      }),
    ),
  );
