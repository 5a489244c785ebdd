// A badge that is awarded no more is still read by those who have it: its words stay part of every proof.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { type RewardsDocument, rewardsDocument } from '#outcomes/rewards/engine/rules.ts';
import { readStoredTexts, textSources, unsafeTexts } from '#rules/language/index.ts';
import { overlaid, type RuleBundle, type RuleDocument } from '#rules/rulesets/index.ts';
import { useApp } from '../../harness/http.ts';

const test = suite('badges that are awarded no more');
const app = useApp(test, { rules: true });
const { capabilities } = app.services;
const retired = 'first_step';

async function sources() {
  const read = inReadOnlyContext(app.database.app, 'SUPER', (trx) => readStoredTexts(trx, capabilities));
  return textSources(capabilities, await read);
}

const inForce = async () => (await app.services.rules.at(app.database.app, app.clock.now())).rules;

function changed(bundle: RuleBundle, name: string, change: (document: Record<string, unknown>) => object): RuleBundle {
  const document = bundle.documents.find(({ meta }) => `${meta.family}/${meta.key}` === name) as RuleDocument;
  const meta = { ...document.meta, version: document.meta.version + 1 };
  const next = { ...document, ...change(document as unknown as Record<string, unknown>), meta };
  return overlaid(bundle, [next as unknown as RuleDocument]);
}

const withoutOne = (bundle: RuleBundle) =>
  changed(bundle, rewardsDocument, ({ badges }) => ({
    badges: (badges as RewardsDocument['badges']).filter(({ code }) => code !== retired),
  }));

/** Catches one word of the description of the badge. */
const stricter = (bundle: RuleBundle) =>
  changed(bundle, 'language/family', ({ entries }) => ({
    entries: [
      ...(entries as object[]),
      {
        ...{ id: 'FAM-NEW-01', tiers: ['parent'], match: { phrases: ['رحلة'] } },
        ...{ action: 'block', reasonCode: 'comparison' },
      },
    ],
  }));

test('a stricter set names the words of the version under which the badge was given', async () => {
  const bundle = await inForce();
  const all = await sources();
  const idsIn = (rules: RuleBundle) => unsafeTexts(rules, all).map(({ id, tier }) => [id, tier]);
  const place = `badges/${retired}/descriptionAr`;
  assert.equal(idsIn(withoutOne(bundle)), []);
  assert.equal(idsIn(stricter(bundle)), [[`${rewardsDocument}/${place}`, 'parent_stricter']]);
  assert.equal(idsIn(stricter(withoutOne(bundle))), [[`${rewardsDocument}@1/${place}`, 'parent_stricter']]);
});

test.run();
