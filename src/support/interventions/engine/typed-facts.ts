// Binds facts to tables by name and type when rules are loaded. Few questions are asked for a student, so a loop over names is
// fast enough.
import type { TypedFacts } from '#rules/rulesets/engine/index.ts';

type Kind = 'flag' | 'number' | 'word';
type ValueOf<K extends Kind> = K extends 'flag' ? boolean : K extends 'number' ? number : string;
type FactsOf<S extends Readonly<Record<string, Kind>>> = { readonly [N in keyof S]: ValueOf<S[N]> };

/** The facts of one table. */
export const listedFacts =
  <S extends Readonly<Record<string, Kind>>>(kinds: S): TypedFacts<FactsOf<S>> =>
  (of) => {
    const admitted = Object.entries(kinds).map(([name, kind]) => {
      // `FactsOf` guarantees that the value has the type of its kind.
      const admit = of[kind](name) as (value: unknown) => number;
      return { name, admit };
    });
    return (facts) => admitted.reduce((possible, { name, admit }) => possible & admit(facts[name]), -1);
  };
