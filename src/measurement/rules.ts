// The rules and items that measurement works with, pinned by what a session was started with.
import path from 'node:path';
import type { CatalogueDocument } from '../catalogue/index.ts';
import type { AudioPack, ItemBank } from '../content/index.ts';
import { loadItemBank, recorded } from '../content/index.ts';
import type { Db, Trx } from '../platform/db.ts';
import { unavailable } from '../platform/errors.ts';
import type { ActiveBundle, ActiveRules, RuleBundle } from '../rulesets/index.ts';
import type { Form } from './diagnostics/engine/forms.ts';
import { formsOfGrade } from './diagnostics/engine/forms.ts';
import type { DiagnosticRules } from './diagnostics/engine/next-item.ts';
import { type MeasurementValues, readMeasurementValues } from './scoring/engine/values.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../rules');
/** The version of the bank that new sessions are given. */
export const currentBankVersion = 2;

export interface ItemBanks {
  /** Throws ENGINE_UNAVAILABLE when the version cannot be read. */
  version(version: number): Promise<ItemBank>;
  current(): Promise<ItemBank>;
  /** Of the bank that new sessions are given. */
  readonly currentVersion: number;
}

/** A version is read once; it never changes. With a pack of recordings, its items know their addresses. */
export function itemBanks(
  dir: string = rulesDir,
  { audio, bankVersion = currentBankVersion }: { readonly audio?: AudioPack; readonly bankVersion?: number } = {},
): ItemBanks {
  const loaded = new Map<number, Promise<ItemBank>>();
  const version = (wanted: number) => {
    const bank =
      loaded.get(wanted) ??
      loadItemBank(dir, wanted)
        .then((read) => (audio ? recorded(read, audio) : read))
        .catch(() => {
          loaded.delete(wanted);
          throw unavailable('The item bank is not available.');
        });
    loaded.set(wanted, bank);
    return bank;
  };
  return { version, current: () => version(bankVersion), currentVersion: bankVersion };
}

export interface MeasurementRules extends DiagnosticRules {
  readonly bundle: RuleBundle;
  readonly catalogue: CatalogueDocument;
}

export async function activeMeasurement(
  services: { rules: ActiveRules; itemBanks: ItemBanks },
  db: Db | Trx,
  moment: Date,
): Promise<MeasurementRules & { active: ActiveBundle }> {
  const active = await services.rules.at(db, moment);
  return { ...measurementOf(active.rules, await services.itemBanks.current()), active };
}

export function measurementOf(bundle: RuleBundle, bank: ItemBank): MeasurementRules {
  return {
    bundle,
    bank,
    catalogue: bundle.values<CatalogueDocument>('catalogue/subskills'),
    values: readMeasurementValues(bundle),
  };
}

export const formsFor = (grade: number, { catalogue, values }: MeasurementRules): Form[] =>
  formsOfGrade(grade, catalogue.subSkills, values);

/** Versions that a stamp `family/key@3` names. */
export const stampVersion = (stamp: string): number => Number(stamp.slice(stamp.lastIndexOf('@') + 1));

export type { MeasurementValues };
