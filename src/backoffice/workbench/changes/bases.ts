// The versions that texts start from: the newest one or, where that was rolled back or its plan taken back, the one in force, since
// a text that was taken back does not return by itself.
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { activationAt, type DocumentName, isOvertaken, RuleVersion } from '#rules/rulesets/index.ts';
import type { ChangeDocument } from './store.ts';
import { nameOfDocument } from './store.ts';

/** Versions by `family/key`. */
export type Pins = Readonly<Record<string, number | undefined>>;

const pinsInForce = async (trx: Trx, now: Date): Promise<Pins> => (await activationAt(trx, now))?.versions ?? {};

export interface Base {
  /** The version whose text is the base; 0 for a document without versions. */
  readonly version: number;
  /** The newest published version; the next text gets the number after it. */
  readonly newest: number;
  readonly isInForce: boolean;
}

interface BaseRow {
  readonly name: DocumentName;
  readonly newest: number;
  readonly wasTakenBack: boolean;
}

/** `wasTakenBack`: the newest version was in force, or its plan was taken back, and no plan brings it again. */
const newestVersions = `
  with newest as (
    select n.name, coalesce(max(v.version), 0) as version from unnest(:names::text[]) as n (name)
    left join rule_version v on v.family || '/' || v.key = n.name and v.family = split_part(n.name, '/', 1)
    group by n.name)
  select n.name, n.version as newest,
    not exists (select from rule_schedule s where (s.versions ->> n.name)::integer = n.version
        and not exists (select from rule_schedule_end e where e.schedule_id = s.id))
      and (exists (select from rule_activation a join rule_bundle b on b.id = a.bundle_id
          where (b.versions ->> n.name)::integer = n.version and a.active_from <= :now::timestamptz and not ${isOvertaken})
        or exists (select from rule_schedule s join rule_schedule_end e on e.schedule_id = s.id
          where (s.versions ->> n.name)::integer = n.version and e.outcome = 'withdrawn')) as was_taken_back
  from newest n`;

/** Returns the bases of documents by their names, with one query. */
export async function basesOf(
  trx: Trx,
  names: readonly DocumentName[],
  now: Date,
): Promise<ReadonlyMap<DocumentName, Base>> {
  if (names.length === 0) return new Map();
  const pins = await pinsInForce(trx, now);
  const rows = await rowsOf<BaseRow>(trx, newestVersions, { names: [...names], now: now.toISOString() });
  return new Map(
    rows.map(({ name, newest, wasTakenBack }) => {
      const inForce = pins[name];
      const version = inForce !== undefined && inForce !== newest && wasTakenBack ? inForce : newest;
      return [name, { version, newest, isInForce: version === 0 || version === inForce }];
    }),
  );
}

/** Returns the bases of the documents that have another one by now, or whose number is taken. */
export function movedBases(
  documents: readonly ChangeDocument[],
  bases: ReadonlyMap<DocumentName, Base>,
): { readonly document: ChangeDocument; readonly base: Base }[] {
  return documents.flatMap((document) => {
    const base = bases.get(nameOfDocument(document));
    const isMoved = base && (base.version !== document.baseVersion || base.newest + 1 !== document.version);
    return isMoved ? [{ document, base }] : [];
  });
}

export const baseMoved = (version: number, field = 'baseVersion') =>
  conflict('base_moved', `Version ${version} is the one to start from by now.`, field);

export interface BaseText {
  readonly document: string;
  readonly cases: string | null;
}

/** Returns the texts of published versions by `family/key@version`, with one query. */
export async function versionTexts(trx: Trx, ids: readonly string[]): Promise<ReadonlyMap<string, BaseText>> {
  if (ids.length === 0) return new Map();
  const rows: ({ id: string } & BaseText)[] = await RuleVersion.query(trx)
    .whereIn('id', [...ids])
    .select('id', 'document', 'cases');
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

export const baseIdOf = (document: Pick<ChangeDocument, 'family' | 'key' | 'baseVersion'>): string =>
  `${nameOfDocument(document)}@${document.baseVersion}`;
