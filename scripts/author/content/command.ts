// The interface of the content commands.
import type { Output } from '../rules/terminal.ts';

export interface Input {
  readonly args: readonly string[];
  readonly bankVersion: number;
  readonly options: ReadonlyMap<string, string>;
}

export interface Command {
  readonly takes: string;
  readonly does: string;
  /** Returns whether the command succeeded. */
  readonly run: (input: Input, out: Output) => Promise<boolean>;
}
