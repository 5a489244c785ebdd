// Long texts on which a careless pattern runs for seconds or forever: each nearly matches and fails at its end.

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Returns ten texts of about `length` characters, by their content. */
export const adversarialFillings = (length: number): Readonly<Record<string, string>> => ({
  letters: `${repeated('a', length)}!`,
  capitals: `${repeated('A', length)}!`,
  digits: `${repeated('1', length)}!`,
  blanks: `${repeated(' ', length)}!`,
  'dots after an at sign': `a@${repeated('a.', length)}@`,
  'words joined by hyphens': `a${repeated('-a', length)}!`,
  'words joined by underscores': `A${repeated('_A', length)}!`,
  slashes: `${repeated('/', length)} `,
  'moments one after another': `${repeated('2026-01-31T08:00:00.000Z', length)}!`,
  'Arabic with marks': `${repeated('كَ', length)}\u0000`,
});
