// Names of codes on a printed packet come from the rule documents that it is stamped with.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadRules, newestBundle } from '#rules/rulesets/files.ts';
import { documentName, pinBundle } from '#rules/rulesets/index.ts';
import { namesIn, packetDocuments } from '#support/decision-packets/document/names.ts';
import { observationCodes } from '#teaching/live-lessons/enums.ts';

const { documents } = newestBundle(await loadRules(path.resolve(import.meta.dirname, '../../../../rules')));
const stamped = (names: readonly string[]) =>
  pinBundle(documents.filter((document) => names.includes(documentName(document))));

test('every code that a teacher may note of a student has an Arabic name, and no two the same', () => {
  const { ofObservation } = namesIn(stamped(packetDocuments));
  const names = observationCodes.map((code) => ofObservation(code) ?? code);
  assert.equal(
    names.filter((name) => !/^[\p{Script=Arabic}\p{M} ]+$/u.test(name)),
    [],
  );
  assert.is(new Set(names).size, observationCodes.length);
});

test('a packet from before observations were evidence is named as it was', () => {
  const { ofObservation, ofFlag } = namesIn(stamped(packetDocuments.filter((name) => name !== 'bundle/session-codes')));
  assert.equal([ofObservation('read_with_flow'), typeof ofFlag('long_absence')], [undefined, 'string']);
});

test.run();
