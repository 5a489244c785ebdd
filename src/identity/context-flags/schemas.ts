// Request and response schemas of context flags. The dictionary, not the schema, defines the allowed codes.
import Type from 'typebox';
import {
  CalendarDate,
  EnteredDate,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { flagEffects } from '#rules/language/index.ts';

const FlagCode = Type.String({ minLength: 1, maxLength: 64 });

export const SetFlagBody = named(
  'SetContextFlag',
  object({
    flagCode: FlagCode,
    effectiveFrom: Type.Optional(EnteredDate),
    effectiveTo: Type.Optional(EnteredDate),
    ended: Type.Optional(Type.Boolean()),
  }),
);

export const setFlagNames: readonly string[] = Object.keys(SetFlagBody.properties);

export const ContextFlagView = named(
  'ContextFlag',
  object({
    flagId: IntegerId,
    studentId: IntegerId,
    flagCode: Type.String(),
    effect: oneOf(flagEffects),
    effectiveFrom: CalendarDate,
    effectiveTo: nullable(CalendarDate),
    active: Type.Boolean(),
    setBy: IntegerId,
    setAt: Timestamp,
  }),
);

export const ContextFlagPage = page(ContextFlagView);
export const ContextFlagQuery = object(pageQuery);
