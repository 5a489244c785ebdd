// Who may know whom in `src/`. Areas stand in one order, and in each the capabilities on layers: a file imports from what
// stands before its own capability, never from after it or beside it. So there is no cycle between areas or capabilities.

export interface Area {
  readonly name: string;
  /** Capabilities from the ground up. What stands on one line does not know each other. */
  readonly layers: readonly (readonly string[])[];
}

/** From the ground up; the files of `src/app/` itself, `src/main.ts` and the workers stand above all of them. */
export const areas: readonly Area[] = [
  { name: 'core', layers: [['platform'], ['http'], ['module'], ['long-jobs']] },
  { name: 'rules', layers: [['rulesets'], ['language'], ['catalogue']] },
  { name: 'identity', layers: [['security-events'], ['people'], ['audit', 'client-logs', 'context-flags']] },
  { name: 'messaging', layers: [['qa'], ['documents', 'notifications']] },
  { name: 'assessment', layers: [['content'], ['measurement'], ['error-patterns'], ['skill-status'], ['teaser']] },
  { name: 'integrations', layers: [['lms']] },
  { name: 'support', layers: [['interventions'], ['fidelity'], ['rti'], ['decision-packets']] },
  { name: 'teaching', layers: [['lesson-blueprints'], ['lessons'], ['live-lessons']] },
  { name: 'outcomes', layers: [['aggregates', 'parents', 'rewards'], ['reports']] },
  {
    name: 'backoffice',
    layers: [['alerts', 'operations'], ['workbench'], ['language-rules', 'qa-checks', 'standards']],
  },
  { name: 'app', layers: [['demo'], ['home']] },
];

/** `core/platform`, `core/http`, …: what stands on one line does not know each other. */
export const layers: readonly (readonly string[])[] = areas.flatMap(({ name, layers: own }) =>
  own.map((capabilities) => capabilities.map((capability) => `${name}/${capability}`)),
);

/** No capabilities: whoever stands above takes any of their files. */
export const ground: ReadonlySet<string> = new Set(['core/platform', 'core/http', 'core/module']);

/** Where no word of the domain is spoken, in file names or identifiers. */
export const withoutDomain: ReadonlySet<string> = new Set(['core/platform', 'core/module']);
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

/** Files of one folder without those of its subfolders, above which a person is asked whether it has a second idea. */
export const mostFiles = 20;

export interface Exception {
  /** The finding as it is printed. */
  readonly finding: string;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    finding: 'src/core/platform/errors.ts: speaks of "teaser"',
    reason: 'The codes of errors are one closed list, which the contract fixes.',
  },
  {
    finding: 'src/core/platform/pdf/pdfmake-parts.ts: speaks of "item"',
    reason: 'So pdfmake calls whatever it places on a page.',
  },
];
