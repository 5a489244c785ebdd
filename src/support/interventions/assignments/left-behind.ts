// Conditions of SQL on the provider of a row of `bundle_assignment`.

/** SQL: whether the provider of a row of `bundle_assignment` teaches the class. */
export const isTaughtByProvider = (row: string, classId: string): string =>
  `exists (select from class_teacher t where t.organization_id = ${row}.organization_id and t.class_id = ${classId}
    and t.teacher_user_id = ${row}.provider_user_id)`;

/** SQL: whether the provider of a row of `bundle_assignment` taught its class and does not teach the student's present one. */
export const isLeftBehind = (row: string, presentClassId: string): string =>
  `(${isTaughtByProvider(row, `${row}.class_id`)} and not ${isTaughtByProvider(row, presentClassId)})`;
