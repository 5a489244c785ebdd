// The kinds of a bundle: each document of the family `notification` defines one, with its template and the schema of its
// payload.
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { type DocumentName, documentName, oncePerBundle, type RuleDocument } from '#rules/rulesets/engine/index.ts';
import type { Severity } from '../enums.ts';
import type { CodeWords } from './template.ts';

export const notificationFamily = 'notification';

export interface KindDocument {
  readonly meta: RuleDocument['meta'];
  /** The code in the API. */
  readonly kind: string;
  readonly active: boolean;
  readonly titleTemplateAr: string;
  readonly bodyTemplateAr: string;
  /** The words for the codes of a payload in these templates. */
  readonly words?: CodeWords;
  readonly defaultPersona: string;
  readonly defaultSeverity: Severity;
  /** Counted from `createdAt`. */
  readonly retentionDays: number;
  readonly payloadSchema: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  };
}

export interface CompiledKind extends KindDocument {
  readonly name: DocumentName;
  readonly fits: (payload: unknown) => boolean;
}

/** By the code in the API. */
export const kindsOf = oncePerBundle(
  ({ documents }): ReadonlyMap<string, CompiledKind> =>
    new Map(kindDocuments(documents).map((document) => [document.kind, compileKind(document)])),
);

export const kindDocuments = (documents: readonly RuleDocument[]): readonly KindDocument[] =>
  documents.filter(({ meta }) => meta.family === notificationFamily) as unknown as readonly KindDocument[];

export function compileKind(document: KindDocument): CompiledKind {
  const validate = jsonValidator(() => document.payloadSchema);
  return { ...document, name: documentName(document), fits: (payload) => validate(payload).length === 0 };
}
