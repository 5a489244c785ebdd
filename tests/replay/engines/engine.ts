// The recording of an engine: questions, the rule versions that it read, and its results as canonical JSON.
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type DocumentName, documentName, type RuleBundle } from '#rules/rulesets/index.ts';

export interface Question<Input> {
  readonly id: string;
  /** Everything besides the rules that the result depends on. Content is given by version. */
  readonly input: Input;
}

export interface RecordedEngine<Input = never> {
  readonly name: string;
  /** The questions of a new recording. */
  questions(): readonly Question<Input>[];
  compile(bundle: RuleBundle): (input: Input) => unknown;
}

export interface Answered extends Question<unknown> {
  readonly left: unknown;
  /** SHA-256 of the canonical text of `left`. */
  readonly hash: string;
}

export interface EngineRecording {
  readonly engine: string;
  readonly recordedOn: string;
  /** Versions of the documents that the engine has read. */
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly cases: readonly Answered[];
}

/** Drops the input type of `engine`. Recordings contain only inputs of the same engine. */
export const recorded = <Input>(engine: RecordedEngine<Input>): RecordedEngine => engine as unknown as RecordedEngine;

export async function answers(
  engine: RecordedEngine,
  questions: readonly Question<unknown>[],
  bundle: RuleBundle,
): Promise<Answered[]> {
  const answer = engine.compile(bundle);
  const all: Answered[] = [];
  for (const { id, input } of questions) {
    const text = canonicalJson(await answer(input as never));
    all.push({ id, input, left: JSON.parse(text), hash: sha256Hex(text) });
  }
  return all;
}

/** Returns the bundle with a set of the document names that are read from it. */
export function watched(bundle: RuleBundle): { readonly rules: RuleBundle; readonly read: ReadonlySet<DocumentName> } {
  const read = new Set<DocumentName>();
  const seen = <Args extends [DocumentName], Answer>(ask: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      read.add(args[0]);
      return ask(...args);
    };
  };
  const values = seen(bundle.values) as RuleBundle['values'];
  const rules = {
    ...{ versions: bundle.versions, table: seen(bundle.table), values },
    get documents() {
      for (const document of bundle.documents) read.add(documentName(document));
      return bundle.documents;
    },
  };
  return { rules, read };
}
