// What is recorded of an engine: questions, the versions of the rules that it read, and its answers as canonical JSON.
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type DocumentName, documentName, type RuleBundle } from '#rules/rulesets/index.ts';

export interface Question<Input> {
  readonly id: string;
  /** Everything that the answer follows from besides the rules; content stands in it by version. */
  readonly input: Input;
}

export interface RecordedEngine<Input = never> {
  readonly name: string;
  /** What a new recording asks. */
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
  /** Of the documents that the engine has read. */
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly cases: readonly Answered[];
}

/** `engine` with its input's type forgotten: recordings hand back what the same engine has asked. */
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

/** The same rules, and the names of those that were asked for. */
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
