// The roster of a demo organization, before it is stored.
import { childName, demoStaffName, drawFamily, type Family, parentName } from './names.ts';
import { type Random, randomStream } from './random.ts';

export const schoolNames = ['مدرسة النور الابتدائية', 'مدرسة الأمل الابتدائية'] as const;

/** Grades 1 and 3 in the first school, 2 and 4 in the second. */
export const classes = [
  { grade: 1, name: 'الصف الأول أ', schoolIndex: 0 },
  { grade: 2, name: 'الصف الثاني أ', schoolIndex: 1 },
  { grade: 3, name: 'الصف الثالث أ', schoolIndex: 0 },
  { grade: 4, name: 'الصف الرابع أ', schoolIndex: 1 },
] as const;
const teachersPerClass = 2;
export const studentsPerClass = 25;

export interface Named {
  /** Key of the person, like `teacher3`; also the first part of the e-mail address. */
  readonly key: string;
  readonly fullNameAr: string;
}

export interface RosterStudent extends Named {
  readonly classIndex: number;
  /** Index within the class, from 0. */
  readonly studentIndex: number;
}

export interface RosterParent extends Named {
  readonly childKeys: readonly string[];
}

export interface Roster {
  readonly admin: Named;
  readonly manager: Named;
  /** One for each school. */
  readonly principals: readonly Named[];
  /** Two for each class, in order. */
  readonly teachers: readonly Named[];
  readonly students: readonly RosterStudent[];
  readonly parents: readonly RosterParent[];
}

export function drawRoster(seedName: string): Roster {
  const random = randomStream(`${seedName}/roster`);
  const staff = (key: string): Named => ({ key, fullNameAr: demoStaffName(random) });
  return {
    admin: staff('admin'),
    manager: staff('manager'),
    principals: schoolNames.map((_, index) => staff(principalKey(index))),
    teachers: classes.flatMap((_, index) => teacherKeys(index).map(staff)),
    ...drawFamilies(random),
  };
}

/** Children of a class who have an elder sibling two classes above, in the same school. */
const siblingsPerClass = 5;
/** Children of a class without a parent account. */
const withoutParent = 2;

interface Child {
  readonly family: Family;
  /** Index of the younger sibling, who has the same family. */
  readonly sibling: number | undefined;
  readonly student: RosterStudent;
}

function drawFamilies(random: Random): Pick<Roster, 'students' | 'parents'> {
  const children: Child[] = [];
  for (const classIndex of classes.keys()) {
    for (let studentIndex = 0; studentIndex < studentsPerClass; studentIndex++) {
      const sibling = siblingOf(children.length);
      const family = children[sibling ?? -1]?.family ?? drawFamily(random);
      const student = {
        key: studentKey(classIndex, studentIndex),
        fullNameAr: childName(family, random),
        classIndex,
        studentIndex,
      };
      children.push({ family, sibling, student });
    }
  }
  return { students: children.map(({ student }) => student), parents: drawParents(children, random) };
}

function drawParents(children: readonly Child[], random: Random): RosterParent[] {
  const heads = [...children.entries()].filter(
    ([, { sibling, student }]) => sibling === undefined && student.studentIndex < studentsPerClass - withoutParent,
  );
  return heads.map(([childIndex, { family, student }], index) => {
    const elder = children.filter(({ sibling }) => sibling === childIndex).map((child) => child.student.key);
    const childKeys = [student.key, ...elder];
    return { key: `parent${index + 1}`, fullNameAr: parentName(family, random), childKeys };
  });
}

/** Returns the index of the younger sibling in the list of students, if any. */
function siblingOf(index: number): number | undefined {
  const younger = index - 2 * studentsPerClass;
  return younger >= 0 && younger % studentsPerClass < siblingsPerClass ? younger : undefined;
}

/** `student1` to `student100`, class by class. */
export const studentKey = (classIndex: number, studentIndex: number): string =>
  `student${classIndex * studentsPerClass + studentIndex + 1}`;

/** `teacher1` to `teacher8`, class by class. */
export const teacherKeys = (classIndex: number): string[] =>
  Array.from({ length: teachersPerClass }, (_, index) => `teacher${classIndex * teachersPerClass + index + 1}`);

export const principalKey = (schoolIndex: number): string => `principal${schoolIndex + 1}`;
