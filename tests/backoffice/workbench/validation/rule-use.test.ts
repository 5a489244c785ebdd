// What capabilities declare reaches the validation: a document is compared with the others in force.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { overlaid, type TableDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';

test('a constant of a draft without a term is a warning of the validation', () => {
  const bnd = bundle.documents.find(({ meta }) => meta.family === 'bnd') as TableDocument;
  const draft = { ...bnd, constants: { ...bnd.constants, 'DTH-NEW-01': { value: 0.1, rationale: 'An example.' } } };
  const findings = ruleUse(capabilities).documentChecks.flatMap((check) => check(draft, overlaid(bundle, [draft])));
  assert.equal(
    findings.map(({ level, code, message }) => [level, code, message]),
    [['warning', 'MESSAGE_MISSING', 'DTH-NEW-01 has no term among the constants']],
  );
});

test.run();
