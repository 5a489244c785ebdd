// Names of IANA time zones, present ones and former ones (`Asia/Kolkata`, `Asia/Calcutta`). The list that Intl gives has one
// name for each zone, which depends on its version, so each name is tried.

/** Names of Java, which Intl knows and IANA does not: three letters, for which PostgreSQL may have another meaning. */
const foreign: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(' '),
);

/** Whether this is the name of a time zone; `+03:00` and `SystemV/…` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || /^SystemV\//i.test(name) || foreign.has(name.toUpperCase())) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
