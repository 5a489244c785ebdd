// The stored form of an input: reading is the inverse of writing, its text is canonical, and its numbers keep their
// meaning.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type EvidenceResponse,
  errorClasses,
  evidenceSources,
} from '#assessment/measurement/evidence/engine/evidence.ts';
import { inputHash, inputText, readInput } from '#assessment/skill-status/results/stored-input.ts';
import type { RunInput } from '#assessment/skill-status/results/tables.ts';
import { canonicalHash, canonicalJson } from '#core/platform/pure/canonical-json.ts';

/** Objects as the engine makes them. */
const plainObjects = { noNullPrototype: true } as const;

const session = fc.record(
  {
    sessionId: fc.string({ minLength: 1 }),
    source: fc.constantFrom(...evidenceSources),
    endedAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    analysable: fc.boolean(),
  },
  plainObjects,
);

const responseOf = (sessionIds: readonly string[]): fc.Arbitrary<EvidenceResponse> =>
  fc.record(
    {
      sessionId: fc.constantFrom(...sessionIds),
      itemId: fc.string(),
      subSkillCode: fc.string(),
      analysable: fc.boolean(),
      answered: fc.boolean(),
      attempt: fc.constantFrom('first', 'repeat'),
      correct: fc.boolean(),
      support: fc.constantFrom('none', 'auto_support'),
      speed: fc.constantFrom('normal', 'slow'),
      errorClass: fc.constantFrom(...errorClasses),
      microPattern: fc.option(fc.string()),
      behaviourMark: fc.boolean(),
    },
    plainObjects,
  );

const inputs: fc.Arbitrary<RunInput> = fc
  .uniqueArray(session, { minLength: 1, maxLength: 4, selector: ({ sessionId }) => sessionId })
  .chain((sessions) =>
    fc.record(
      {
        sessions: fc.constant(sessions),
        responses: fc.array(responseOf(sessions.map(({ sessionId }) => sessionId)), { maxLength: 12 }),
      },
      plainObjects,
    ),
  );

test('reading returns the stored input, and the text is canonical', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const text = inputText(input);
      assert.equal(readInput(JSON.parse(text)), input);
      assert.is(canonicalJson(JSON.parse(text)), text);
      assert.is(inputHash(input), canonicalHash(JSON.parse(text)));
    }),
  );
});

const plain: EvidenceResponse = {
  ...{ sessionId: 'S', itemId: 'I', subSkillCode: 'LK_SOUND', errorClass: 'none', microPattern: null },
  ...{ analysable: false, answered: false, correct: false, behaviourMark: false },
  ...{ attempt: 'first', support: 'none', speed: 'normal' },
};
const sessions = [
  { sessionId: 'S', source: 'diagnostic', endedAt: '2026-01-10T09:00:00.000Z', analysable: true },
] as const;

const changes: readonly (readonly [number, Partial<EvidenceResponse>])[] = [
  [0, {}],
  [1, { analysable: true }],
  [2, { answered: true }],
  [4, { attempt: 'repeat' }],
  [8, { correct: true }],
  [16, { support: 'auto_support' }],
  [32, { speed: 'slow' }],
  [64, { behaviourMark: true }],
];

for (const [mark, change] of changes) {
  test(`a stored ${mark} means ${JSON.stringify(change)}`, () => {
    const input = { sessions, responses: [{ ...plain, ...change }] };
    assert.equal(JSON.parse(inputText(input)).responses, [[0, 'I', 'LK_SOUND', mark, 'none', null]]);
  });
}

test('a response of a session that is not in the input is refused', () => {
  assert.throws(() => inputText({ sessions: [], responses: [plain] }), /no session S/);
});

test.run();
