// Migrations come in two phases, told by their names. `….expand` adds, and runs at a start while processes of the release
// before go on working; `….contract` takes away, and runs when somebody says that the last of them has ended. Names
// without a phase are the clean start, with which a database is made.

const phases = ['expand', 'contract'] as const;
export type Phase = (typeof phases)[number];

/** Day, number, capability and phase: `20270110_01-reports.expand`. */
export const migrationFile = /^\d{8}_\d{2}-[a-z0-9-]+(\.(expand|contract))?\.ts$/;

/** Undefined: of the clean start. */
export const phaseOf = (name: string): Phase | undefined => phases.find((phase) => name.endsWith(`.${phase}`));

/** Of the known ones those that are to run, in their order. A database in which none has run gets both phases. */
export function toRun(known: readonly string[], applied: readonly string[], contract: boolean): string[] {
  const takesAway = contract || applied.length === 0;
  return known.filter((name) => !applied.includes(name) && (takesAway || phaseOf(name) !== 'contract'));
}
