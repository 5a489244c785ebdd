// How the engines of interventions give their facts to tables: names and types are compared with the table's where rules are
// loaded. A few questions a student are asked, so a loop over names is fast enough.
import type { TypedFacts } from '#rules/rulesets/engine/index.ts';

type Kind = 'flag' | 'number' | 'word';
type ValueOf<K extends Kind> = K extends 'flag' ? boolean : K extends 'number' ? number : string;
type FactsOf<S extends Readonly<Record<string, Kind>>> = { readonly [N in keyof S]: ValueOf<S[N]> };

/** All facts of one table. */
export const listedFacts =
  <S extends Readonly<Record<string, Kind>>>(kinds: S): TypedFacts<FactsOf<S>> =>
  (of) => {
    const admitted = Object.entries(kinds).map(([name, kind]) => {
      // The kind says the type of the value, which `FactsOf` holds the caller to.
      const admit = of[kind](name) as (value: unknown) => number;
      return { name, admit };
    });
    return (facts) => admitted.reduce((possible, { name, admit }) => possible & admit(facts[name]), -1);
  };
