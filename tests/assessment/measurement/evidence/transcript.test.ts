// Only the transcript defines how responses are stored; all other code reads sessions through it.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { answersSql } from '#assessment/measurement/evidence/transcript.ts';

const root = path.resolve(import.meta.dirname, '../../../../src');

/** These files write the tables, or read the responses of all students to one item. */
const others = [
  'assessment/measurement/calibration/answers.ts',
  'assessment/measurement/diagnostics/store.ts',
  'assessment/measurement/evidence/transcript.ts',
  'assessment/measurement/personal-data.ts',
  'assessment/measurement/practice/store.ts',
];

test('only the transcript, stores and calibration name the tables of responses', () => {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const naming = files.filter((name) =>
    /\b(diagnostic|practice)_response\b/.test(fs.readFileSync(path.join(root, name), 'utf8')),
  );
  assert.equal(naming.map((name) => name.replaceAll(path.sep, '/')).sort(), others);
});

test('both sources are read by their own keys, in the organization of their session', () => {
  assert.match(answersSql('diagnostic'), 'r.organization_id = s.organization_id and r.session_id = s.id');
  assert.match(answersSql('practice'), 'r.organization_id = s.organization_id and r.queue_id = s.id');
});

test.run();
