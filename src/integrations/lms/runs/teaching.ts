// How a class is taught, as SQL and as a value: before a commit, after it, and when it is reverted.

export interface ClassTeaching {
  /** Null: the person does not teach the class. */
  readonly own: { readonly role: 'PRIMARY' | 'SECONDARY'; readonly position: number } | null;
  /** The id of the head teacher. */
  readonly leader: number | null;
}

/** Returns the SQL of a `ClassTeaching` of a user in a class. */
export const teaching = (classId: string, userId: string): string => `jsonb_build_object(
  'own', (select jsonb_build_object('role', t.role, 'position', t.position) from class_teacher t
    where t.organization_id = :organizationId and t.class_id = ${classId} and t.teacher_user_id = ${userId}),
  'leader', (select t.teacher_user_id from class_teacher t
    where t.organization_id = :organizationId and t.class_id = ${classId} and t.role = 'PRIMARY'))`;
