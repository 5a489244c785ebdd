// What a person can find out who has everything that was published, and tries every table of counts that fits it. Knows
// nothing of the engine: it adds up whole tables, from classes to schools to the organization, and throws out what differs.

type Row = Readonly<Record<string, number | null>>;
/** Counts of one unit, each in six bits: two tables are added by adding two numbers. */
type Tables = ReadonlySet<number>;

const bits = 6;
const most = (1 << bits) - 1;

export interface PublishedSchool {
  readonly id: string;
  readonly row: Row;
  /** Of counted classes: with their sizes, which everybody knows. */
  readonly classes: readonly { readonly id: string; readonly size: number; readonly row: Row }[];
  readonly atLeast?: Readonly<Record<string, number>>;
}

export interface Published {
  /** At most five, of counts below 64. */
  readonly bands: readonly string[];
  /** Null: no counts of the organization were published. */
  readonly organization: Row | null;
  readonly schools: readonly PublishedSchool[];
}

/** By `unit/band`, the values that a count may have; the organization's unit is empty. */
export type Possible = ReadonlyMap<string, ReadonlySet<number>>;

export function possibleValues({ bands, organization, schools }: Published): Possible {
  const found = new Map<string, ReadonlySet<number>>();
  const note = (id: string, tables: Tables) =>
    bands.forEach((band, place) => {
      found.set(`${id}/${band}`, new Set([...tables].map((table) => countIn(table, place))));
    });
  const classTables = schools.map(({ classes }) => classes.map(({ size, row }) => tablesOf(bands, size, row)));
  const alone = schools.map(({ row, atLeast = {} }, at) => {
    const isKnown = (table: number) => bands.every((band, place) => countIn(table, place) >= (atLeast[band] ?? 0));
    return keep(added(classTables[at] ?? []), (table) => fitsRow(bands, row, table) && isKnown(table));
  });
  const all = added(alone);
  const whole = organization ? keep(all, (table) => fitsRow(bands, organization, table)) : all;
  if (organization) note('', whole);
  for (const [at, { id, classes }] of schools.entries()) {
    const ofSchool = organization ? possibleIn(alone, at, whole) : (alone[at] as Tables);
    note(id, ofSchool);
    for (const [place, one] of classes.entries())
      note(one.id, possibleIn(classTables[at] as Tables[], place, ofSchool));
  }
  return found;
}

const countIn = (table: number, place: number): number => (table >> (bits * place)) & most;

const fitsRow = (bands: readonly string[], row: Row, table: number): boolean =>
  bands.every((band, place) => row[band] === null || row[band] === countIn(table, place));

const keep = (tables: Tables, fits: (table: number) => boolean): Tables => new Set([...tables].filter(fits));

/** All distributions of a class's students that agree with the shown counts. */
function tablesOf(bands: readonly string[], size: number, row: Row): Tables {
  const found = new Set<number>();
  const place = (begun: number, at: number, left: number): void => {
    const band = bands[at];
    if (band === undefined) {
      if (left === 0) found.add(begun);
      return;
    }
    const given = row[band] ?? null;
    const highest = at === bands.length - 1 ? left : Math.min(left, given ?? left);
    for (let count = given ?? 0; count <= highest; count++) place(begun + (count << (bits * at)), at + 1, left - count);
  };
  place(0, 0, size);
  return keep(found, (table) => fitsRow(bands, row, table));
}

/** All sums of one table of each. */
function added([first, ...rest]: readonly Tables[]): Tables {
  return rest.reduce<Tables>(
    (sums, tables) => {
      const next = new Set<number>();
      for (const sum of sums) for (const table of tables) next.add(sum + table);
      return next;
    },
    first ?? new Set([0]),
  );
}

/** Tables of one part for which the others have some that add up to a whole that is possible. */
function possibleIn(parts: readonly Tables[], at: number, whole: Tables): Tables {
  const rest = added(parts.filter((_, place) => place !== at));
  return keep(parts[at] as Tables, (table) => {
    for (const other of rest) if (whole.has(table + other)) return true;
    return false;
  });
}
