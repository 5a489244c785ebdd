// The rules and items of measurement, as pinned by a session.

import type { Db, Trx } from '#core/platform/db.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { ActiveBundle, ActiveRules, RuleBundle } from '#rules/rulesets/index.ts';
import type { ItemBank, ItemBanks } from '../content/index.ts';
import type { Form } from './diagnostics/engine/forms.ts';
import { formsOfGrade } from './diagnostics/engine/forms.ts';
import type { DiagnosticRules } from './diagnostics/engine/next-item.ts';
import { type MeasurementValues, readMeasurementValues } from './scoring/engine/values.ts';

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

/** Returns the version in a stamp: `family/key@3` → 3. */
export const stampVersion = (stamp: string): number => Number(stamp.slice(stamp.lastIndexOf('@') + 1));

export type { MeasurementValues };
