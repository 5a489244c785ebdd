// From profiles to decisions about tiers, on the golden cases of the contract, kind by kind, and the recipients of a
// lesson.
import fs from 'node:fs';
import { compileRecipients, type RecipientQuestion } from '#support/interventions/engine/assignments/recipients.ts';
import { compileEngines } from '../../../scripts/eval/interventions/engines.ts';
import { kinds } from '../../../scripts/eval/interventions/kinds.ts';
import { type RecordedEngine, recorded } from './engine.ts';

interface GoldenCase {
  readonly kind: string;
  readonly name: string;
  readonly input: never;
}

const goldenCases = (): GoldenCase[] =>
  ['intervention', 'workflow', 'rti', 'blueprint'].flatMap((name) => {
    const text = fs.readFileSync(`tests/golden/${name}-golden-cases.json`, 'utf8');
    return (JSON.parse(text) as { readonly cases: readonly GoldenCase[] }).cases;
  });

const ofKind = (kind: string): RecordedEngine => ({
  name: kind.replaceAll('_', '-'),
  questions: () =>
    goldenCases()
      .filter((one) => one.kind === kind)
      .map(({ name, input }) => ({ id: name, input })),
  compile: (bundle) => {
    const engines = compileEngines(bundle);
    return (input) => kinds[kind]?.(input, engines);
  },
});

const bit = (number: number, place: number): boolean => Math.floor(number / 2 ** place) % 2 === 1;

const recipients: RecordedEngine<RecipientQuestion> = {
  name: 'recipients',
  questions: () =>
    Array.from({ length: 16 }, (_, at) => ({
      id: `${at}`,
      input: { dndy: bit(at, 0), dataIncomplete: bit(at, 1), acuteOpen: bit(at, 2), hasActive: bit(at, 3) },
    })),
  compile: compileRecipients,
};

export const supportEngines = [...Object.keys(kinds).map((kind) => recorded(ofKind(kind))), recorded(recipients)];
