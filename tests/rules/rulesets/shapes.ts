// What all capabilities say of the documents of rules, for tests that read a text as the service does.
import { capabilities } from '#app/capabilities.ts';
import { shapesOf } from '#rules/rulesets/shapes.ts';

export const shapes = shapesOf(capabilities);

/** As capabilities write them, by `family/key`. */
export const sections = Object.fromEntries(
  capabilities.flatMap(({ ruleShapes }) => Object.entries(ruleShapes?.sections ?? {})),
);
