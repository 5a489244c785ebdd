// Schemas of the catalogue of bundles.
import Type from 'typebox';
import { named, nullable, object, oneOf, page, pageQuery } from '#core/http/schemas.ts';
import { bundleStates } from '../engine/bundles/catalogue.ts';
import { deliveryModes, objectTypes, roleCodes } from '../engine/vocabulary.ts';

const Grade = Type.Integer({ minimum: 1, maximum: 4 });

/** A malformed id is handled like an unknown one. */
export const bundleParams = object({ bundle_id: Type.String({ maxLength: 64 }) });

export const BundleQuery = object({
  ...pageQuery,
  grade: Type.Optional(Grade),
  objectType: Type.Optional(oneOf(objectTypes)),
  state: Type.Optional(oneOf(bundleStates)),
});

/** An assignment adds the progress of each step. */
export const StepFields = {
  stepNo: Type.Integer({ minimum: 1 }),
  sessionRole: Type.String({ pattern: '^[A-Z][A-Z_]*$' }),
  plannedSessions: Type.Integer({ minimum: 1 }),
  goal: nullable(object({ minScored: Type.Integer({ minimum: 1 }), minRate: Type.Number({ minimum: 0, maximum: 1 }) })),
};

const Step = named('BundleStep', object(StepFields));

export const BundleView = named(
  'InterventionBundle',
  object({
    bundle_id: Type.String(),
    catalogueVersion: Type.Integer({ minimum: 1 }),
    objectType: oneOf(objectTypes),
    state: oneOf(bundleStates),
    nameAr: Type.String(),
    roles: Type.Array(oneOf(roleCodes)),
    grades: Type.Array(Grade),
    steps: Type.Array(Step),
    sessionsPerWeek: nullable(Type.Integer({ minimum: 1 })),
    plannedWeeks: nullable(Type.Integer({ minimum: 1 })),
    deliveryModes: Type.Array(oneOf(deliveryModes)),
  }),
);

export const BundleList = named('BundleList', page(BundleView));
