// Returns the rules in force at a moment, and the compiled rules of any pinned set of versions.
import type { Db, Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import { type Activation, activationAt, type Versions } from './activations.ts';
import { pinBundle, type RuleBundle } from './engine/bundle.ts';
import { documentId, type RuleDocument } from './engine/document/document.ts';
import { RuleVersion } from './rows.ts';

export type { Versions };

export interface ActiveBundle {
  readonly bundleId: string;
  readonly activeFrom: string;
  readonly rules: RuleBundle;
}

export interface ActiveRules {
  /** Prefetches the query that `at` makes next for this transaction and moment; does not wait. */
  prefetch(trx: Trx, moment: Date): void;
  /** Throws ENGINE_UNAVAILABLE when no bundle is in force or a document of it cannot be read. */
  at(db: Db | Trx, moment: Date): Promise<ActiveBundle>;
  /** Returns the bundle of pinned versions. Throws as `at` does. */
  pinned(db: Db | Trx, versions: Versions): Promise<RuleBundle>;
}

/** Enough for all documents of the cached bundles: a bundle differs from the one before in a document or two. */
const mostDocuments = 1_024;

/** Enough for the rules in force, those of open sessions, and those that a replay uses. */
const mostBundles = 32;

/** A prefetched query of one transaction. */
interface Question {
  readonly moment: Date;
  readonly answer: Promise<Activation | undefined>;
}

/** Published versions never change, so a compiled bundle is valid for the life of the process. */
export function activeRules(): ActiveRules {
  const bundles = lruCache<RuleBundle>(mostBundles);
  const documents = lruCache<RuleDocument>(mostDocuments);
  const pinned = async (db: Db | Trx, versions: Versions): Promise<RuleBundle> => {
    const key = canonicalJson(versions);
    const known = bundles.get(key);
    if (known) return known;
    const bundle = pinBundle(await documentsOf(db, versions, documents));
    bundles.set(key, bundle);
    return bundle;
  };
  const asked = new WeakMap<object, Question>();
  return {
    pinned,
    prefetch(trx, moment) {
      const answer = activationAt(trx, moment);
      answer.catch(() => {});
      asked.set(trx, { moment, answer });
    },
    at: async (db, moment) => {
      const question = asked.get(db);
      asked.delete(db);
      const isSame = question?.moment.getTime() === moment.getTime();
      const row = await (question && isSame ? question.answer : activationAt(db, moment));
      if (!row) throw unavailable('No rules are in force.');
      return { bundleId: row.bundleId, activeFrom: row.activeFrom, rules: await pinned(db, row.versions) };
    },
  };
}

/** Bundles by the texts from which they were compiled. */
const byTexts = lruCache<RuleBundle>(8);
const byText = lruCache<RuleDocument>(mostDocuments);

/**
 * Like `ActiveRules.pinned`, but compiled from the texts that are stored now, so that a text changed in the database is
 * noticed.
 */
export const storedRules: Pick<ActiveRules, 'pinned'> = {
  async pinned(db, versions) {
    const texts = await textsOf(db, versions);
    const key = texts.join('\n');
    const known = byTexts.get(key);
    if (known) return known;
    const bundle = pinBundle(texts.map((text) => parsedOnce(text)));
    byTexts.set(key, bundle);
    return bundle;
  },
};

function parsedOnce(text: string): RuleDocument {
  const document = byText.get(text) ?? parsed(text);
  byText.set(text, document);
  return document;
}

const parsed = (text: string) => JSON.parse(text) as RuleDocument;

/**
 * Returns the documents in the order of their names. Published versions never change, so cached ones are not read
 * again.
 */
async function documentsOf(
  db: Db | Trx,
  versions: Versions,
  known: LruCache<RuleDocument>,
): Promise<readonly RuleDocument[]> {
  const isMissing = ([name, version]: readonly [string, number]) => known.get(`${name}@${version}`) === undefined;
  const texts = await textsOf(db, Object.fromEntries(Object.entries(versions).filter(isMissing)));
  const read = new Map(texts.map(parsed).map((document) => [documentId(document), document]));
  for (const [id, document] of read) known.set(id, document);
  const ids = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  return ids.sort().flatMap((id) => read.get(id) ?? known.get(id) ?? []);
}

async function textsOf(db: Db | Trx, versions: Versions): Promise<string[]> {
  const wanted = Object.entries(versions).map(
    ([name, version]) => [...name.split('/'), version] as (string | number)[],
  );
  if (wanted.length === 0) return [];
  const rows: { document: string }[] = await RuleVersion.query(db)
    .whereIn(['family', 'key', 'version'], wanted as string[][])
    .orderBy(['family', 'key'])
    .select('document');
  if (rows.length !== wanted.length) throw unavailable('A rule document is missing.');
  return rows.map(({ document }) => document);
}
