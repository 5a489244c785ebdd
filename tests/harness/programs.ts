// How tests start the programs of the repository: as they were built for this run.
import { nodeArguments } from '../../scripts/launch/programs.mjs';

/** Arguments of Node for an entry such as `src/main.ts`. */
export const nodeArgv = (entry: string): string[] => nodeArguments(process.env.TEST_PROGRAMS ?? '', entry);
