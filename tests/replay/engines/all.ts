// All engines with recordings, except that of skill statuses (`../recording.ts`).
import { countEngines } from './counts-and-rewards.ts';
import { diagnosticEngines } from './diagnostics.ts';
import { effortEngines } from './effort.ts';
import type { RecordedEngine } from './engine.ts';
import { fluencyEngines } from './fluency.ts';
import { measureEngines } from './next-data.ts';
import { supportEngines } from './support.ts';
import { textEngines } from './texts.ts';
import { trainingEngines } from './training.ts';

export const engines: readonly RecordedEngine[] = [
  ...diagnosticEngines,
  ...trainingEngines,
  ...effortEngines,
  ...fluencyEngines,
  ...measureEngines,
  ...supportEngines,
  ...countEngines,
  ...textEngines,
];
