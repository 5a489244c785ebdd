// References between documents: each change of one that breaks the others is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { documentName, overlaid, type RuleDocument } from '#rules/rulesets/index.ts';
import { readInterventionRules } from '#support/interventions/rules/read-rules.ts';
import { bundle } from '../runs.ts';

type Change = (document: never) => unknown;

function after(name: string, change: Change): string {
  const document = bundle.documents.find((one) => documentName(one) === name);
  const changed = change(structuredClone(document) as never) as RuleDocument;
  try {
    readInterventionRules(overlaid(bundle, [changed]));
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
}

interface Entry {
  bundle_id: string;
  state: string;
  grades: number[];
  deliveryModes: string[];
  steps: { stepNo: number; goal: { minScored: number } | null }[];
}

/** The catalogue with one entry changed; undefined removes it. */
const entry =
  (id: string, change: (one: Entry) => Entry | undefined): Change =>
  (document: { bundles: Entry[] }) => ({
    ...document,
    bundles: document.bundles.flatMap((one) => (one.bundle_id === id ? (change(one) ?? []) : [one])),
  });

/** Replaces a text of the document. */
const replaced =
  (from: string, to: string): Change =>
  (document) =>
    JSON.parse(JSON.stringify(document).replace(from, to)) as unknown;

for (const [what, name, change, message] of [
  ['as they are', 'bundle/catalogue', (document: unknown) => document, /^read$/],
  ['a target that is gone', 'bundle/catalogue', entry('RTG-ACUTE-01', () => undefined), /BRR-03.* no RTG-ACUTE-01/],
  [
    'a target that is retired',
    'bundle/catalogue',
    entry('SUP-ARACC-01', (one) => ({ ...one, state: 'retired' })),
    /BRR-18: SUP-ARACC-01 is not active for grade 1/,
  ],
  [
    'a grade that a rule lets through and the bundle does not serve',
    'bundle/catalogue',
    entry('CSP-BROAD-01', (one) => ({ ...one, grades: [4] })),
    /BRR-08: CSP-BROAD-01 is not active for grade 3/,
  ],
  [
    'a target that was never there',
    'bundle/recommendation',
    replaced('NIO-CORE-01","action', 'NIO-CORE-02","action'),
    /NIO-CORE-02/,
  ],
  [
    'no micro group',
    'bundle/catalogue',
    entry('SUP-ARACC-01', (one) => ({ ...one, deliveryModes: ['blended'] })),
    /micro/,
  ],
  [
    'a goal of its own',
    'bundle/catalogue',
    entry('SUP-ARACC-01', (one) => ({
      ...one,
      steps: one.steps.map((step) => ({ ...step, goal: step.goal && { ...step.goal, minScored: 3 } })),
    })),
    /SUP-ARACC-01 has another goal in step 2/,
  ],
  [
    'steps that are not numbered from 1',
    'bundle/catalogue',
    entry('SUP-ARACC-01', (one) => ({ ...one, steps: one.steps.toReversed() })),
    /not numbered from 1/,
  ],
  ['a plan without steps', 'bundle/catalogue', entry('SUP-COMP-01', (one) => ({ ...one, steps: [] })), /has no plan/],
  [
    'a placeholder in use',
    'bundle/catalogue',
    entry('FUT-WRITING-01', (one) => ({ ...one, state: 'active' })),
    /never active/,
  ],
  ['an entry twice', 'bundle/catalogue', replaced('SUP-PHON-01', 'SUP-COMP-01'), /stands twice|has no SUP-PHON-01/],
  ['another role', 'profile/settings', replaced('"role":"PHON"', '"role":"SOUND"'), /the roles are not PHON/],
  [
    'a domain in two roles',
    'profile/settings',
    replaced('["LIS","VOC"]', '["LIS","VOC","RC"]'),
    /domain RC is named twice/,
  ],
  ['a sub-skill in no group', 'profile/settings', replaced('"PA_RHYME",', ''), /PA_RHYME is in no skill group/],
  [
    'a sub-skill in two groups',
    'profile/settings',
    replaced('"PA_UNITS":[', '"PA_UNITS":["PA_BLEND",'),
    /PA_BLEND is named twice/,
  ],
  [
    'a sub-skill of another role',
    'profile/settings',
    replaced('"FLU_ALL":["FLU_WORD"', '"FLU_ALL":["DEC_WORD"'),
    /DEC_WORD/,
  ],
  [
    'an anchor that code cannot find',
    'profile/resolution',
    replaced('first_strong', 'last_strong'),
    /PRF-06.*last_strong/,
  ],
  ['a rule that BRR does not know', 'profile/resolution', replaced('"name":"PRF-17"', '"name":"PRF-18"'), /PRF-18/],
  [
    'a fact that the engine does not give',
    'profile/resolution',
    replaced('"anyWatch":{', '"anyMonitor":{'),
    /anyMonitor|anyWatch/,
  ],
  ['a profile without a text', 'profile/narratives', replaced('"ON_TRACK"', '"ISOLATED_GAP"'), /no text for ON_TRACK/],
  ['a suggestion that is not there', 'profile/narratives', replaced('"HS-16"', '"HS-99"'), /no suggestion HS-99/],
  ['a number that is gone', 'bundle/settings', replaced('GRP-SMALL-01', 'GRP-SMALL-02'), /lacks GRP-SMALL-01/],
  [
    'a bucket with another’s reason',
    'cluster/smart-cluster',
    replaced('"reasonCode":"none"', '"reasonCode":"data_incomplete"'),
    /CLP-99/,
  ],
] as const) {
  test(`${name}: ${what}`, () => assert.match(after(name, change as Change), message));
}

test.run();
