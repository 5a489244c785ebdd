// Descriptions of bands and protection settings are read from documents, and a missing text or number is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { aggregateBands, bandAudiences, bandDescriptions, studentBands } from '#outcomes/aggregates/rules/bands.ts';
import { protectionSettings } from '#outcomes/aggregates/rules/protection.ts';
import { readAggregateRules } from '#outcomes/aggregates/rules/read-rules.ts';
import { bandTexts } from '#outcomes/aggregates/rules/texts.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { checkRuleText, isError, overlaid, type RuleDocument, type ValueDocument } from '#rules/rulesets/index.ts';
import { validators } from '../../../rules/rulesets/document-schemas.ts';

const bundle = await loadNewestBundle('rules');

const isOfBands = ({ family }: RuleDocument['meta']) => family === 'band-descriptions';

test('teachers read eight bands and managers five, in the order of the contract', () => {
  const bandsFor = bandAudiences.map((audience) => bandDescriptions(bundle, audience).map(({ band }) => band));
  const five = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'];
  assert.equal(bandsFor, [[...five, 'Partial', 'Contextual', 'Not_Assessed'], five]);
  assert.equal(bandsFor, [studentBands, aggregateBands]);
});

test('the threshold and the width are five', () => {
  assert.equal(protectionSettings(bundle), { threshold: 5, width: 5 });
});

test('every label and every description is put to the proof', () => {
  assert.is(bandTexts(bundle).length, 2 * (8 + 5));
});

/** Undefined: the document may come into force. */
function refusalOf(document: RuleDocument): string | undefined {
  const [fault] = checkRuleText(JSON.stringify(document), validators).filter(isError);
  if (fault) return fault.message;
  try {
    readAggregateRules(overlaid(bundle, [document]));
  } catch (error) {
    return String(error);
  }
}

const documentOf = (key: string) => bundle.documents.find(({ meta }) => isOfBands(meta) && meta.key === key);

test('every number at its ends is read, beyond them it is refused', () => {
  const manager = documentOf('manager') as ValueDocument;
  for (const [id, { value }] of Object.entries(manager.constants ?? {})) {
    const range = validators.constants.get(id) as { min: number; max: number };
    const withValue = (one: number) => ({
      ...manager,
      constants: { ...manager.constants, [id]: { value: one, rationale: 'tried', unit: 'students' } },
    });
    assert.is(value, 5);
    for (const end of [range.min, range.max]) assert.is(refusalOf(withValue(end)), undefined, `${id} = ${end}`);
    for (const beyond of [range.min - 1, range.max + 1]) assert.ok(refusalOf(withValue(beyond)), `${id} = ${beyond}`);
  }
});

test('a document that says nothing of a band, or says it twice, is refused', () => {
  for (const document of bundle.documents.filter(({ meta }) => isOfBands(meta))) {
    const { bands } = document as unknown as { bands: readonly object[] };
    const lacking = bands.slice(1);
    const twice = [...lacking, { ...lacking[0], labelAr: 'ضمن' }];
    assert.is(refusalOf(document), undefined);
    for (const changed of [lacking, twice])
      assert.ok(refusalOf({ ...document, bands: changed } as unknown as RuleDocument), document.meta.key);
  }
});

test.run();
