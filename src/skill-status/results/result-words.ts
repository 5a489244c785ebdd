// Shapes of the words of a result, for every answer that tells one.
import { named, nullable, oneOf } from '../../http/schemas.ts';
import { haltActions, skillStatuses, tileValues } from '../engine/vocabulary.ts';

export const Status = nullable(named('SubSkillStatus', oneOf(skillStatuses)));
export const SeverePath = nullable(oneOf(['A', 'B', 'AB']));
export const TileStatus = named('TileStatus', oneOf([...tileValues, 'Not_Assessed']));
export const HaltAction = named('RecommendedAction', oneOf(haltActions));
