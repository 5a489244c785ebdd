// timeout: 600s
// Measurement and calendar with their numbers at both ends of the ranges. For all documents: a value at an end is
// refused by validation, or the flows that read it work.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { endCases, namesOf, refusalOf, unranged } from './cases.ts';
import { testEnds } from './test-ends.ts';

const elsewhere = ['dth/dth', 'rbm/rbm', 'subflag/subflag', 'cbm/trend'];
/** Tested in tests/support/interventions/ends.test.ts, because these flows do not read them. */
const ofInterventions = (name: string) => /^(profile|bundle|cluster|rti|fidelity)\//.test(name);
/** Tested in tests/outcomes/rewards/ends.test.ts. */
const ofRewards = (name: string) => name.startsWith('gamification/');
/** Tested in tests/outcomes/aggregates/rules/bands.test.ts. */
const ofBands = (name: string) => name.startsWith('band-descriptions/');
/** Tested in tests/outcomes/parents/ends.test.ts. */
const ofFamilies = (name: string) => name === 'growth-trend/tile';
/** Templates, whose only number is their retention period. */
const ofNotifications = (name: string) => name.startsWith('notification/');
const ofOthers = (name: string) =>
  ofInterventions(name) || ofRewards(name) || ofBands(name) || ofFamilies(name) || ofNotifications(name);
const test = suite('ends of the numbers of measurement');
const readBy = testEnds(
  test,
  (one) => !namesOf(one).some((name) => elsewhere.includes(name) || name.startsWith('benchmark/') || ofOthers(name)),
);

test('every constant of every document has a range of its own', () => {
  assert.equal(unranged(), []);
});

/** Language rules contain no numbers. They are tested in tests/rules/language and tests/backoffice/language-rules. */
const ofLanguage = ['language/context-flags', 'language/family', 'language/staff', 'language/student'];
/** Read by explanations, by approvals, by the daily purge and by checks of the service, which have their own tests. */
const readElsewhere = ['catalogue/terms', ...ofLanguage, 'operations/approvals', 'operations/retention', 'qa/checks'];

test('every document is read by some flow', () => {
  const read = new Set([...readBy.values()].flatMap((names) => [...names]));
  const unread = Object.keys(bundle.versions).filter((name) => !read.has(name) && !ofOthers(name));
  assert.equal(unread, readElsewhere);
});

test('language rules contain no number', () => {
  for (const name of ofLanguage) {
    const document = bundle.documents.find(({ meta }) => `${meta.family}/${meta.key}` === name);
    assert.ok(document, name);
    assert.not.ok(document.constants, name);
  }
});

test('the shipped values are accepted', () => {
  assert.equal(refusalOf(bundle.documents), []);
});

test('some ends are refused, most are accepted', () => {
  const cases = endCases();
  const refused = cases.filter(({ documents }) => refusalOf(documents).length > 0);
  assert.ok(cases.length > 200, String(cases.length));
  assert.ok(refused.length > 0 && refused.length < cases.length / 2, `${refused.length} of ${cases.length}`);
});

test.run();
