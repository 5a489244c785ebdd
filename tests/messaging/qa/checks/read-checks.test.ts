// Findings for a draft of the checks, and the checks in force when the document is of another release.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { catalogueOf } from '#messaging/qa/catalogue.ts';
import { checkFindings, readChecks } from '#messaging/qa/checks/read-checks.ts';
import { overlaid, type RuleDocument, type ValueDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { changedChecks } from '../documents.ts';

interface ChecksDocument {
  readonly meta: RuleDocument['meta'];
  readonly checks: readonly Readonly<Record<string, unknown>>[];
}
const shipped = changedChecks({}) as unknown as ChecksDocument;
const withChecks = (checks: ChecksDocument['checks']) => ({ ...shipped, checks }) as ChecksDocument;
const messagesOf = (document: ChecksDocument, cases: readonly { name: string }[] = []) =>
  checkFindings({ document: document as unknown as ValueDocument, cases: cases as never }, capabilities).map(
    ({ message }) => message,
  );
const [first, ...others] = shipped.checks;

test('a draft holds each check once, as it is fixed, no other, and no cases', () => {
  assert.equal(messagesOf(shipped), []);
  assert.equal(messagesOf(withChecks(others)), ['does not hold STATUS_WITHOUT_RULE_VERSION']);
  assert.equal(messagesOf(withChecks([...shipped.checks, { ...first }])), ['holds STATUS_WITHOUT_RULE_VERSION twice']);
  assert.equal(messagesOf(withChecks([...shipped.checks, { ...first, qaCheckId: 'OTHER' }])), [
    'holds OTHER, which is not known',
  ]);
  for (const wrong of [{ kind: 'runtime' }, { subject: 'x' }, { probe: 'x' }])
    assert.equal(messagesOf(withChecks([{ ...first, ...wrong }, ...others])), [
      'kind, subject and probe of STATUS_WITHOUT_RULE_VERSION are fixed',
    ]);
  assert.equal(messagesOf(shipped, [{ name: 'one' }]), ['one: checks answer no cases']);
});

test('what a release brings is off until a document names it; what a release does not know is left out', () => {
  const catalogue = catalogueOf(capabilities);
  const inForce = (checks: ChecksDocument['checks']) =>
    readChecks(overlaid(bundle, [withChecks(checks) as unknown as RuleDocument]), catalogue).items.map(
      ({ qaCheckId }) => qaCheckId,
    );
  const ids = others.map(({ qaCheckId }) => qaCheckId);
  assert.equal(inForce([...others, { ...first, qaCheckId: 'OTHER' }]), ids);
});

test('two capabilities cannot bring the same check', () => {
  assert.throws(() => catalogueOf([...capabilities, ...capabilities]), /two of the name \w+ among checks/);
});

test.run();
