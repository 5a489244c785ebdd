// The capability of lesson blueprints.
import type { Capability } from '#core/module/capability.ts';
import { auditedBlueprints } from './audited.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { compileBlueprints } from './engine/findings.ts';
import { readSessionCodes } from './engine/session-codes.ts';
import { importRoutes } from './imports/routes.ts';
import { blueprintMinutes } from './rows/blueprints.ts';
import { blueprintSeed, otherFormsFile, shippedFile } from './shipped/install.ts';
import { blueprintTexts } from './texts.ts';

export const lessonBlueprintsCapability: Capability = {
  name: 'session-blueprints',
  routes: [...importRoutes, ...catalogRoutes],
  seeds: [blueprintSeed(shippedFile), blueprintSeed(otherFormsFile)],
  audited: auditedBlueprints,
  ruleReaders: [(bundle) => void compileBlueprints(bundle), readSessionCodes],
  storedTexts: [blueprintTexts],
  blueprintMinutes,
};
