// Renders a kind with a payload on request of a rule author. No person is involved, so no name is looked up.

import { type ErrorDetail, invalid } from '#core/platform/errors.ts';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { checkText, type LanguageRule } from '#rules/language/index.ts';
import { pinBundle, type RuleDocument, type ValueTrial } from '#rules/rulesets/index.ts';
import { NotificationRefused, type Payload, renderedText, tierFor } from './engine/compose.ts';
import { compileKind, type KindDocument } from './engine/kinds.ts';

const parts = ['titleAr', 'bodyAr'] as const;

export interface RenderedTrial {
  readonly titleAr: string;
  readonly bodyAr: string;
  readonly safe: boolean;
  readonly violations: readonly {
    readonly field: (typeof parts)[number];
    readonly ruleId: string;
    readonly start: number;
    readonly end: number;
    readonly action: LanguageRule['action'];
    readonly reasonCode: LanguageRule['reasonCode'];
  }[];
}

const noPeople = { fullName: () => undefined, timeZone: 'UTC' };

/**
 * Throws VALIDATION_ERROR for a payload that does not fit, ENGINE_UNAVAILABLE when the language rules of its readers are not
 * in force.
 */
export function tryKind({ document, facts, around }: ValueTrial): RenderedTrial {
  const kind = compileKind(document as unknown as KindDocument);
  requireFit(kind, facts);
  const bundle = pinBundle([...around, document as unknown as RuleDocument]);
  const tier = tierFor(kind);
  const text = orInvalid(() => renderedText(bundle, kind, facts, tier, noPeople));
  const violations = parts.flatMap((field) =>
    checkText(bundle, text[field], tier).violations.map(({ ruleId, start, end, action, reasonCode }) => ({
      ...{ field, ruleId, start, end, action, reasonCode },
    })),
  );
  return { ...text, safe: violations.length === 0, violations };
}

function orInvalid<Text>(render: () => Text): Text {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof NotificationRefused)) throw error;
    throw invalid('facts', 'holds a code that has no name');
  }
}

function requireFit({ payloadSchema }: KindDocument, facts: Payload): void {
  const [error] = jsonValidator(() => payloadSchema)(facts);
  if (!error) return;
  const { instancePath, params, message = 'does not fit' } = error;
  const field = params.missingProperty ?? params.additionalProperty ?? instancePath.slice(1);
  throw invalid(`facts.${field}`, issueOf(error.keyword, message));
}

const issueOf = (keyword: string, message: string): ErrorDetail['issue'] =>
  keyword === 'required' ? 'is missing' : keyword === 'additionalProperties' ? 'is not a fact' : message;
