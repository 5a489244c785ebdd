// Who may know whom in `src/`. Each folder stands on one layer and imports from those before it, never from those after it
// or beside it: so there can be no cycle between folders.

/** From the ground up. What stands on one line does not know each other. */
export const layers: readonly (readonly string[])[] = [
  ['platform'],
  ['http'],
  ['kernel'],
  ['rulesets', 'security-events'],
  ['language'],
  ['people', 'long-jobs', 'catalogue'],
  ['qa'],
  ['audit', 'client-logs', 'content', 'context-flags', 'notifications', 'report-jobs'],
  ['lms', 'measurement'],
  ['error-patterns'],
  ['skill-status'],
  ['interventions'],
  ['fidelity'],
  ['rti'],
  ['decision-packets', 'session-blueprints'],
  ['sessions'],
  ['live-sessions'],
  ['aggregates', 'parents', 'rewards'],
  ['reports'],
  ['alerts', 'teaser', 'operations'],
  ['workbench'],
  ['language-rules', 'qa-checks', 'standards'],
  ['demo'],
  ['home'],
];

/** No capabilities: whoever stands above takes any of their files. */
export const ground: ReadonlySet<string> = new Set(['platform', 'http', 'kernel']);

/** Where no word of the domain is spoken, in file names or identifiers. */
export const withoutDomain: ReadonlySet<string> = new Set(['platform', 'kernel']);
export const domainWords: readonly string[] = [
  'student',
  'teacher',
  'school',
  'grade',
  'skill',
  'theta',
  'item',
  'passage',
  'diagnostic',
  'teaser',
  'rule',
];

/** Words that the field has another word for, which is the one that is used: in file names and identifiers. */
export const otherwiseSaid: Readonly<Record<string, string>> = {
  climb: 'escalate',
  keeper: 'owner',
  rehearsal: 'simulation',
  rehearse: 'simulate',
  sealer: 'cipher',
  vault: 'cipher',
  wish: 'input',
  wishes: 'inputs',
  witness: 'boundary case',
};

/** Files of one room, without those of its sub-folders. */
export const mostLooseFiles = 12;

export interface Exception {
  /** The finding as it is printed. */
  readonly finding: string;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    finding: 'src/platform/errors.ts: speaks of "teaser"',
    reason: 'The codes of errors are one closed list, which the contract fixes.',
  },
  {
    finding: 'src/platform/pdf/pdfmake-parts.ts: speaks of "item"',
    reason: 'So pdfmake calls whatever it places on a page.',
  },
];
