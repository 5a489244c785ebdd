// What test files import as `uvu`: uvu with hooks that report their failures. uvu itself drops the error of a hook before the
// tests once those after them have run, and exits if one of these misses what was not created.
import * as uvu from 'uvu';

type Registers<Context> = (hook: uvu.Callback<Context>) => void;

export const { exec } = uvu;
export const suite: typeof uvu.suite = (name, context) => withReports(uvu.suite(name, context));
export const test = withReports(uvu.test);

const closing = new WeakMap<object, (() => Promise<void>)[]>();

/** Registers a hook that runs after all other hooks of the file, for what they still need. */
export function lastly<Context>(tests: uvu.Test<Context>, hook: () => Promise<void>): void {
  closing.set(tests, [...(closing.get(tests) ?? []), hook]);
}

function withReports<Context>(tests: uvu.Test<Context>): uvu.Test<Context> {
  const { before, after, run } = tests;
  let state = { isBroken: false };
  const reporting = (register: Registers<Context>, when: string): Registers<Context> => {
    return (hook) => {
      const own = state;
      register(async (context) => {
        try {
          await hook(context);
        } catch (error) {
          console.error(`\nA hook ${when} failed: ${error instanceof Error ? error.stack : error}`);
          // What the hooks before the tests have not created cannot be removed.
          if (own.isBroken && register === after) return;
          own.isBroken = true;
          throw error;
        }
      });
    };
  };
  const eachOf = ({ each }: { each: Registers<Context> }, when: string) => ({ each: reporting(each, when) });
  return Object.assign(tests, {
    before: Object.assign(reporting(before, 'before the tests'), eachOf(before, 'before a test')),
    after: Object.assign(reporting(after, 'after the tests'), eachOf(after, 'after a test')),
    run() {
      for (const hook of closing.get(tests) ?? []) tests.after(hook);
      closing.delete(tests);
      run();
      state = { isBroken: false };
    },
  });
}
