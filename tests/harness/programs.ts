// Starts the programs of the repository as they were built for this test run.
import { nodeArguments } from '../../scripts/launch/programs.mjs';

/** Returns the arguments of Node for an entry such as `src/main.ts`. */
export const nodeArgv = (entry: string): string[] => nodeArguments(process.env.TEST_PROGRAMS ?? '', entry);
