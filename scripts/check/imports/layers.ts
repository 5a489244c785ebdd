// The allowed imports of `src/`. Areas are ordered, and so are the capabilities of each on layers: a file imports from areas
// and layers before its own capability, never from those after or beside it. So there is no cycle between areas or
// capabilities.

export interface Area {
  readonly name: string;
  /** Capabilities from the lowest layer up. Those of one layer do not import each other. */
  readonly layers: readonly (readonly string[])[];
}

/** From the lowest area up. The files directly in `src/app/`, `src/main.ts` and the workers are above all of them. */
export const areas: readonly Area[] = [
  { name: 'core', layers: [['platform'], ['http'], ['module'], ['long-jobs']] },
  { name: 'rules', layers: [['rulesets'], ['language'], ['catalogue']] },
  { name: 'identity', layers: [['security-events'], ['people'], ['audit', 'client-logs', 'context-flags']] },
  { name: 'messaging', layers: [['qa'], ['documents', 'notifications']] },
  { name: 'assessment', layers: [['content'], ['measurement'], ['error-patterns'], ['skill-status'], ['teaser']] },
  { name: 'integrations', layers: [['lms']] },
  { name: 'support', layers: [['interventions'], ['fidelity'], ['rti'], ['decision-packets'], ['student-merges']] },
  { name: 'teaching', layers: [['lesson-blueprints'], ['lessons'], ['live-lessons']] },
  { name: 'outcomes', layers: [['aggregates', 'parents', 'rewards'], ['reports']] },
  {
    name: 'backoffice',
    layers: [['alerts', 'operations'], ['workbench'], ['language-rules', 'qa-checks', 'standards']],
  },
  { name: 'app', layers: [['demo'], ['home']] },
];

/** `core/platform`, `core/http`, …: the capabilities of one layer do not import each other. */
export const layers: readonly (readonly string[])[] = areas.flatMap(({ name, layers: own }) =>
  own.map((capabilities) => capabilities.map((capability) => `${name}/${capability}`)),
);

/** Folders that are no capabilities: all layers above import any of their files. */
export const sharedFolders: ReadonlySet<string> = new Set(['core/platform', 'core/http', 'core/module']);

/** Folders without words of the domain in file names or identifiers. */
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

/** Words that are not used in file names and identifiers, with the word of the field that replaces them. */
export const retiredWords: Readonly<Record<string, string>> = {
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

/** The number of files directly in one folder above which a warning asks whether it has a second idea. */
export const mostFiles = 20;

export interface Exception {
  /** The finding as it is printed. */
  readonly finding: string;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    finding: 'src/core/platform/errors.ts: uses the domain word "teaser"',
    reason: 'The codes of errors are one closed list, which the contract fixes.',
  },
  {
    finding: 'src/core/platform/pdf/pdfmake-parts.ts: uses the domain word "item"',
    reason: 'The word of pdfmake for everything on a page.',
  },
];
