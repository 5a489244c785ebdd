// Runs cases of `cases.ts`: puts each in force as the workbench does and runs every flow that reads its number. The
// read numbers are observed where rules are loaded: constants of value documents by id, tables as a whole.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RuleBundle, RuleDocument } from '#rules/rulesets/index.ts';
import { behindProxy } from '../../assessment/teaser/visitor.ts';
import { putInForce } from '../../backoffice/workbench/next-version.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type Person } from '../../harness/world.ts';
import { type EndCase, endCases, namesOf, refusalOf } from './cases.ts';
import { type Flows, flowsOf } from './flows.ts';

export const flowNames = ['recompute', 'practice', 'warmup', 'fluency', 'teaser'] as const;
export type FlowName = (typeof flowNames)[number];

export function testEnds(test: Test, isOfThisFile: (one: EndCase) => boolean): Map<FlowName, ReadonlySet<string>> {
  const app = useApp(test, { settings: { ...behindProxy, RATE_LIMIT_USER_PER_MINUTE: '1000000' } });
  const readBy = new Map<FlowName, ReadonlySet<string>>();
  let flows: Flows;
  /** A student who was evaluated before any rule changed. */
  let evaluatedStudent: Person;
  let steps = 0;
  const run: Record<FlowName, (grade: number) => Promise<void>> = {
    recompute: async (grade) => {
      const { person, sessionId } = await flows.diagnostic(grade, 1);
      if (sessionId !== null) await flows.recompute(person);
    },
    practice: () => flows.practice(),
    warmup: () => flows.warmup(),
    fluency: (grade) => flows.fluency(grade),
    teaser: (grade) => flows.teaser(grade),
  };

  test('every flow works under the shipped rules', async () => {
    flows = flowsOf(app, await buildWorld(app));
    evaluatedStudent = (await flows.diagnostic(2, 4)).person;
    await flows.recompute(evaluatedStudent);
    for (const name of flowNames) readBy.set(name, await numbersRead(app.services.rules, () => run[name](2)));
  });

  async function enforce({ documents }: EndCase): Promise<void> {
    steps += 1;
    const next = ({ meta }: RuleDocument) => ({ ...meta, version: meta.version + steps });
    await putInForce(app, ...documents.map((one) => ({ ...one, meta: next(one) })));
  }

  for (const one of endCases().filter((each) => isOfThisFile(each) && refusalOf(each.documents).length === 0)) {
    test(`${one.name}: every flow that reads it works`, async () => {
      await enforce(one);
      if (namesOf(one).includes('catalogue/subskills')) {
        await flows.readStatus(evaluatedStudent);
        await flows.recompute(evaluatedStudent);
      }
      for (const name of flowsToRun(one, readBy)) await run[name](gradeOf(one));
    });
  }
  return readBy;
}

/** All flows share the engine's pipeline: what a recompute reads need not be repeated by training. */
function flowsToRun(one: EndCase, readBy: ReadonlyMap<FlowName, ReadonlySet<string>>): FlowName[] {
  const reading = flowNames.filter((name) => one.reads.some((number) => readBy.get(name)?.has(number)));
  const isOfEngine = reading.includes('recompute') && !one.reads.some((number) => number.startsWith('scoring/'));
  return isOfEngine ? reading.filter((name) => name === 'recompute' || name === 'fluency') : reading;
}

/** A benchmark is read for its own grade, every other document for any grade. */
const gradeOf = ({ documents: [first] }: EndCase): number => (first && 'grade' in first ? Number(first.grade) : 2);

/** Returns `family/key`, and `family/key#ID` for each constant of a value document. */
async function numbersRead(
  rules: { at: unknown; pinned: unknown },
  work: () => Promise<unknown>,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  const { at, pinned } = rules as {
    at: (...given: unknown[]) => Promise<{ rules: RuleBundle }>;
    pinned: (...given: unknown[]) => Promise<RuleBundle>;
  };
  Object.assign(rules, {
    at: async (...given: unknown[]) => {
      const active = await at(...given);
      return { ...active, rules: observed(active.rules, read) };
    },
    pinned: async (...given: unknown[]) => observed(await pinned(...given), read),
  });
  await work().finally(() => Object.assign(rules, { at, pinned }));
  assert.ok(read.size > 0);
  return read;
}

function observed(bundle: RuleBundle, read: Set<string>): RuleBundle {
  const constantsOf = (name: string, { constants = {} }: RuleDocument) =>
    new Proxy(constants, {
      get: (target, id) => {
        read.add(`${name}#${String(id)}`);
        return Reflect.get(target, id);
      },
    });
  return {
    ...bundle,
    table(name) {
      read.add(name);
      return bundle.table(name);
    },
    values<T>(name: Parameters<RuleBundle['values']>[0]): T {
      read.add(name);
      const document = bundle.values<RuleDocument>(name);
      return { ...document, constants: constantsOf(name, document) } as T;
    },
  };
}
