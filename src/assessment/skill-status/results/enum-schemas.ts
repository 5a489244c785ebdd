// Schemas of the enums of results, for all responses that contain them.
import { named, nullable, oneOf } from '#core/http/schemas.ts';
import {
  compPatterns,
  deficitBands,
  haltActions,
  haltReasons,
  skillStatuses,
  tileValues,
} from '../engine/vocabulary.ts';

export const Status = nullable(named('SubSkillStatus', oneOf(skillStatuses)));
export const SeverePath = nullable(oneOf(['A', 'B', 'AB']));
export const TileStatus = named('TileStatus', oneOf([...tileValues, 'Not_Assessed']));
export const TileValue = named('TileValue', oneOf(tileValues));
export const DeficitBand = named('DeficitBand', oneOf(deficitBands));
export const CompPattern = named('ComprehensionPattern', oneOf(compPatterns));
export const FactorState = named('FactorState', oneOf(['weak', 'ok', 'unknown']));
export const HaltReason = named('HaltReason', oneOf(haltReasons));
export const HaltAction = named('RecommendedAction', oneOf(haltActions));
