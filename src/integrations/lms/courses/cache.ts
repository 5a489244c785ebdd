// Caches the course lists of connections in each process, because reading one costs the provider many pages.
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import type { LmsConnection } from '../connections/rows.ts';
import { type Course, openSource, ProviderFault } from '../provider.ts';

const keptMs = 300_000;
const mostLists = 200;
const waitSeconds = 30;

interface Kept {
  readonly courses: readonly Course[];
  readonly untilMs: number;
}

/** One cache for each process. It is keyed by the clock, so that two services in one process share nothing. */
const keptOf = new WeakMap<object, Map<string, Kept>>();

/**
 * Returns the active courses in the order of their ids. The caller holds no transaction. Throws ENGINE_UNAVAILABLE when the
 * provider cannot be read, and what the source throws after a revocation; neither is cached.
 */
export async function coursesOf(
  services: Services,
  connection: LmsConnection,
  { bypass }: { readonly bypass: boolean },
): Promise<readonly Course[]> {
  const lists = listsOf(services);
  const key = `${connection.id} ${connection.setNo}`;
  const nowMs = services.clock.now().getTime();
  const kept = lists.get(key);
  if (!bypass && kept && nowMs < kept.untilMs) return kept.courses;
  const courses = inOrder(await read(services, connection));
  lists.delete(key);
  lists.set(key, { courses, untilMs: services.clock.now().getTime() + keptMs });
  const [oldest] = lists.keys();
  if (lists.size > mostLists && oldest !== undefined) lists.delete(oldest);
  return courses;
}

function listsOf({ clock }: Services): Map<string, Kept> {
  const lists = keptOf.get(clock) ?? new Map<string, Kept>();
  keptOf.set(clock, lists);
  return lists;
}

async function read(services: Services, connection: LmsConnection): Promise<Course[]> {
  try {
    return await openSource(services, connection).listCourses();
  } catch (error) {
    if (error instanceof ProviderFault) throw unreadable(error);
    throw error;
  }
}

/** The error for a caller who waits for a provider that cannot be read. */
const unreadable = ({ retryAfter = waitSeconds }: ProviderFault) =>
  new AppError('ENGINE_UNAVAILABLE', 'The learning platform cannot be read at the moment. Please try again later.', {
    retryAfter,
  });

const inOrder = (courses: readonly Course[]): Course[] =>
  courses.filter(({ active }) => active).sort((one, other) => (one.courseExternalId < other.courseExternalId ? -1 : 1));
