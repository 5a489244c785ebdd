// People of one organization, inserted directly into the database. Parents and children are linked one by one.
import { newId } from '../../src/core/platform/ids.ts';
import { buildOrganization } from '../../tests/harness/factories.ts';
import type { Service } from '../harness/service.ts';

export interface People {
  readonly organizationId: string;
  readonly parents: readonly number[];
  readonly students: readonly number[];
}

export async function insertPeople({ owner }: Service, size: { parents: number; students: number }): Promise<People> {
  const { id: organizationId } = await buildOrganization(owner);
  const insert = async (primaryPersona: 'PARENT' | 'STUDENT', count: number): Promise<number[]> => {
    const one = {
      organizationId,
      scope: 'ORGANIZATION',
      primaryPersona,
      fullNameAr: 'سلمى سالم',
      createdAt: new Date(),
    };
    const people = Array.from({ length: count }, () =>
      primaryPersona === 'STUDENT' ? one : { ...one, email: `${newId()}@example.org`, passwordHash: 'x' },
    );
    const rows: { id: number }[] = await owner('app_user').insert(people).returning('id');
    return rows.map(({ id }) => id);
  };
  const parents = await insert('PARENT', size.parents);
  const students = await insert('STUDENT', size.students);
  // Only parents of the child are notified.
  const families = students.flatMap((studentId, at) => {
    const parentUserId = parents[at % parents.length];
    return parentUserId === undefined ? [] : [{ childId: newId(), organizationId, parentUserId, studentId }];
  });
  if (families.length > 0) await owner('parent_student').insert(families);
  return { organizationId, parents, students };
}
