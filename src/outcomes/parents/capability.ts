// The parents capability: the portal of families, letters and batches of letters.
import type { Capability } from '#core/module/capability.ts';
import { reportedDirectly } from '#messaging/qa/index.ts';
import { parentResponseOutsideSchema, parentStringUnsafe } from './alerts.ts';
import { parentLetters } from './batch/parent-letters.ts';
import { batchRoutes } from './batch/routes.ts';
import { documentSchemas } from './engine/document-schemas.ts';
import { trajectories } from './engine/enums.ts';
import { factCategories } from './engine/fact-categories.ts';
import { letterTexts } from './letter/labels.ts';
import { letterRoutes } from './letter/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { compileFamily } from './rules.ts';
import { growthTexts } from './texts.ts';

export const parentsCapability: Capability = {
  name: 'parents',
  documentSchemas,
  factCategories,
  routes: [...portalRoutes, ...letterRoutes, ...batchRoutes],
  reportKinds: [parentLetters],
  probes: [reportedDirectly(parentStringUnsafe), reportedDirectly(parentResponseOutsideSchema)],
  alerts: [parentResponseOutsideSchema, parentStringUnsafe],
  /** Trajectories are never stored, so there is nothing to simulate. */
  ruleFamilies: [{ family: 'growth-trend' }],
  ruleReaders: [(bundle) => void compileFamily(bundle)],
  valueContracts: [{ from: 'growth-trend/tile', param: 'outcome', reader: 'trajectories', accepts: trajectories }],
  texts: [growthTexts, letterTexts],
};
