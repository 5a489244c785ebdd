// What test files get as `uvu`: the same, but a hook that fails says so. By itself uvu forgets why a hook before the
// tests failed as soon as those after them have run, and ends the process when one of these misses what was not made.
import * as uvu from 'uvu';

type Registers<Context> = (hook: uvu.Callback<Context>) => void;

export const { exec } = uvu;
export const suite: typeof uvu.suite = (name, context) => telling(uvu.suite(name, context));
export const test = telling(uvu.test);

const closing = new WeakMap<object, (() => Promise<void>)[]>();

/** After all that the file does after its tests, whenever it says so: what everything else still needs. */
export function lastly<Context>(tests: uvu.Test<Context>, hook: () => Promise<void>): void {
  closing.set(tests, [...(closing.get(tests) ?? []), hook]);
}

function telling<Context>(tests: uvu.Test<Context>): uvu.Test<Context> {
  const { before, after, run } = tests;
  let state = { isBroken: false };
  const passing = (register: Registers<Context>, when: string): Registers<Context> => {
    return (hook) => {
      const own = state;
      register(async (context) => {
        try {
          await hook(context);
        } catch (error) {
          console.error(`\nA hook ${when} failed: ${error instanceof Error ? error.stack : error}`);
          // What the hooks before the tests have not made cannot be taken away.
          if (own.isBroken && register === after) return;
          own.isBroken = true;
          throw error;
        }
      });
    };
  };
  const eachOf = ({ each }: { each: Registers<Context> }, when: string) => ({ each: passing(each, when) });
  return Object.assign(tests, {
    before: Object.assign(passing(before, 'before the tests'), eachOf(before, 'before a test')),
    after: Object.assign(passing(after, 'after the tests'), eachOf(after, 'after a test')),
    run() {
      for (const hook of closing.get(tests) ?? []) tests.after(hook);
      closing.delete(tests);
      run();
      state = { isBroken: false };
    },
  });
}
