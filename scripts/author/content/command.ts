// A command on the content, and what it is given.
import type { Output } from '../rules/terminal.ts';

export interface Input {
  readonly args: readonly string[];
  readonly bankVersion: number;
  readonly options: ReadonlyMap<string, string>;
}

export interface Command {
  readonly takes: string;
  readonly does: string;
  /** Answers whether all is well. */
  readonly run: (input: Input, out: Output) => Promise<boolean>;
}
