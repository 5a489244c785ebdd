// Schemas of the reason codes. Codes and scopes are values of a rule document.
import Type from 'typebox';
import { named, object, oneOf } from '#core/http/schemas.ts';

export const ReasonCodeQuery = object({ scope: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) });

const ReasonCode = named(
  'ReasonCode',
  object({
    code: Type.String(),
    scope: Type.String(),
    kind: oneOf(['override', 'reason']),
    labelAr: Type.String(),
    labelEn: Type.String(),
  }),
);

export const ReasonCodeList = named(
  'ReasonCodeList',
  object({ items: Type.Array(ReasonCode), ruleVersion: Type.String() }),
);
