// Names of IANA time zones, present ones and former ones (`Asia/Kolkata`, `Asia/Calcutta`). The list that Intl gives has one
// name for each zone, which depends on its version, so each name is tried.

/** Names of Java, which Intl knows and IANA does not: three letters, for which PostgreSQL may have another meaning. */
const foreign: ReadonlySet<string> = new Set(
  'act aet agt art ast bet bst cat cnt cst ctt eat ect iet ist jst mit net nst plt pnt prt pst sst vst'.split(' '),
);

/** Whether this is the name of a time zone; `+03:00` and `SystemV/…` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || /^SystemV\//i.test(name) || foreign.has(name.toLowerCase())) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
