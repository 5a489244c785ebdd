// Checks of an import that the schema cannot express: the required texts per task type. Optional texts become null.
import { AppError, type ErrorDetail } from '#core/platform/errors.ts';
import type { Blueprint, ImportBody, NewBlueprint, NewItem } from '../schemas.ts';

/** Throws VALIDATION_ERROR `required` or `one_for_each_option`. */
export function blueprintsIn({ blueprints }: ImportBody): Blueprint[] {
  const details = blueprints.flatMap(({ items }, at) =>
    items.flatMap((item, no) => faultsOf(item, `blueprints.${at}.items.${no}`)),
  );
  if (details.length === 0) return blueprints.map(withNulls);
  throw new AppError('VALIDATION_ERROR', 'Items lack required texts; see details.', {
    details: details.slice(0, maxDetails),
  });
}

const maxDetails = 100;

/** The required text per task type. */
const requiredText = { mcq_audio: 'speechAr', passage_mcq: 'passageAr' } as const satisfies Partial<
  Record<NewItem['taskType'], keyof NewItem>
>;

function faultsOf(item: NewItem, path: string): ErrorDetail[] {
  const field = item.taskType in requiredText ? requiredText[item.taskType as keyof typeof requiredText] : undefined;
  const missing = field !== undefined && (item[field] ?? null) === null;
  const { optionSpeechAr } = item;
  const uneven = optionSpeechAr && optionSpeechAr.length !== item.options.length;
  return [
    ...(missing ? [{ field: `${path}.${field}`, issue: 'required' }] : []),
    ...(uneven ? [{ field: `${path}.optionSpeechAr`, issue: 'one_for_each_option' }] : []),
  ];
}

/** Form A is left out, so that a blueprint that names it is equal to one that does not. */
const withNulls = ({ items, form = 'A', ...blueprint }: NewBlueprint): Blueprint => ({
  ...blueprint,
  ...(form !== 'A' && { form }),
  items: items.map(({ speechAr = null, passageAr = null, optionSpeechAr = null, ...item }) => ({
    ...item,
    speechAr,
    passageAr,
    optionSpeechAr,
  })),
});
