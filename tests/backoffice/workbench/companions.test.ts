// A threshold in several tables: which drafts or versions go with a change of it, and what an impact says then.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { agree, type Companion, companionsAmong, disagreeing } from '#backoffice/workbench/companions.ts';
import { inContext } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { type DocumentName, documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { useShell } from '../../assessment/skill-status/shell.ts';
import { shippedVersion } from '../../harness/rules.ts';
import { buildDraft, buildPlace, edited, impactOf, january, layerOf, type Place, setConstant } from './impact/world.ts';

const test = suite('companions of a draft');
const shell = useShell(test);
const { owner } = shell.app.database;
let place: Place;

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 4, 3);
});

const scope = () => ({ scope: { organizationId: place.organizationId } });

const next = (name: DocumentName) => shippedVersion(name) + 1;
const withMinimum = (name: DocumentName, items: number, version = next(name)): RuleDocument =>
  edited(name, (draft) => {
    draft.meta.version = version;
    setConstant(draft, 'DTH-MIN-01', items);
  });

const candidate = (document: RuleDocument, draftId: string): Companion => ({
  name: { family: document.meta.family, key: document.meta.key, draftId, sha256: '' },
  text: '',
  document,
});
const names = (chosen: readonly Companion[]) => chosen.map(({ name }) => name.draftId);
const refusalOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as { details?: readonly { field: string; issue: string }[] }).details;
  }
  return undefined;
};

test('the documents that quote the old value are named', () => {
  const others = disagreeing(bundle.documents, [withMinimum('dth/dth', 6)]);
  assert.equal([...others].sort(), ['pac/pac', 'scoring/measurement']);
  assert.equal(disagreeing(bundle.documents, [withMinimum('dth/dth', 4)]), []);
  assert.ok(agree(withMinimum('dth/dth', 6), withMinimum('pac/pac', 6)));
  assert.not.ok(agree(withMinimum('dth/dth', 6), withMinimum('pac/pac', 5)));
});

test('the first candidate of each that agrees is taken; without one the documents are named', () => {
  const candidates = [
    candidate(withMinimum('pac/pac', 5), 'other value'),
    candidate(withMinimum('pac/pac', 6), 'first'),
    candidate(withMinimum('pac/pac', 6, next('pac/pac') + 1), 'second'),
    candidate(withMinimum('scoring/measurement', 6), 'scoring'),
  ];
  const changed = [withMinimum('dth/dth', 6)];
  assert.equal(names(companionsAmong(bundle.documents, changed, candidates)), ['first', 'scoring']);
  assert.equal(
    refusalOf(() => companionsAmong(bundle.documents, changed, candidates.slice(0, 3))),
    [{ field: 'scoring/measurement', issue: 'constants_disagree' }],
  );
  assert.equal(companionsAmong(bundle.documents, [withMinimum('dth/dth', 4)], candidates), []);
});

test('a companion that changes more brings its own companions', () => {
  const pac = edited('pac/pac', (draft) => {
    setConstant(draft, 'DTH-MIN-01', 6);
    setConstant(draft, 'DTH-SUP-01', 0.6);
  });
  const dth = edited('dth/dth', (draft) => {
    setConstant(draft, 'DTH-MIN-01', 6);
    setConstant(draft, 'DTH-SUP-01', 0.6);
  });
  const scoring = withMinimum('scoring/measurement', 6);
  const chosen = companionsAmong(
    bundle.documents,
    [scoring],
    [candidate(withMinimum('dth/dth', 6), 'agrees alone'), candidate(pac, 'pac'), candidate(dth, 'dth')],
  );
  assert.equal(chosen.map(({ document }) => documentName(document)).sort(), ['dth/dth', 'pac/pac']);
  assert.ok(chosen.every(({ document }) => chosen.every((other) => agree(document, other.document))));
});

test('an impact without companions is refused, and names what is missing', async () => {
  const thrown = await impactOf(shell, withMinimum('dth/dth', 7), scope()).catch((error: unknown) => error);
  assert.equal((thrown as { details: { field: string }[] }).details.map(({ field }) => field).sort(), [
    'pac/pac',
    'scoring/measurement',
  ]);
});

test('open drafts are taken before published versions, proven ones before others, and the report names them', async () => {
  const unproven = await buildDraft(shell, withMinimum('pac/pac', 6), 'draft');
  const proven = await buildDraft(shell, withMinimum('pac/pac', 6), 'validated');
  await buildDraft(shell, withMinimum('pac/pac', 6), 'withdrawn');
  await publish(withMinimum('pac/pac', 6));
  await publish(withMinimum('scoring/measurement', 6));
  assert.not.equal(unproven.id, proven.id);
  const { report } = await impactOf(shell, withMinimum('dth/dth', 6), scope());
  const scoring = sha256Hex(canonicalJson(withMinimum('scoring/measurement', 6)));
  assert.equal(report.companions, [
    { family: 'pac', key: 'pac', draftId: proven.id, sha256: proven.sha256 },
    { family: 'scoring', key: 'measurement', version: next('scoring/measurement'), sha256: scoring },
  ]);
  const changed = ['dth/dth', 'pac/pac', 'scoring/measurement'] as const;
  assert.equal(
    changed.map((name) => report.before[name]),
    changed.map(shippedVersion),
  );
  assert.equal(
    changed.map((name) => report.after[name]),
    changed.map(next),
  );
  const halted = layerOf(report, 'PAC').transitions.filter(
    ({ from, to }: { from: string; to: string }) => from !== to && to === 'do_not_decide_yet',
  );
  assert.ok(halted.length > 0, 'more items are asked for');
});

async function publish(document: RuleDocument): Promise<void> {
  const { family, key, version } = document.meta;
  const text = canonicalJson(document);
  const row = { family, key, version, document: text, sha256: sha256Hex(text), publishedAt: january(1) };
  await inContext(owner, 'SUPER', (trx) => trx('rule_version').insert(row));
}

test.run();
