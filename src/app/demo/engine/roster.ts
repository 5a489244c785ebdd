// Who and what there is in an organization of the demo, before anything is stored.
import { childName, drawFamily, type Family, parentName, staffName } from './names.ts';
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
  /** `teacher3`: the person's place in the organization, also the first part of the e-mail address. */
  readonly key: string;
  readonly fullNameAr: string;
}

export interface RosterStudent extends Named {
  readonly classIndex: number;
  /** From 0 within the class. */
  readonly seat: number;
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
  const staff = (key: string): Named => ({ key, fullNameAr: staffName(random) });
  return {
    admin: staff('admin'),
    manager: staff('manager'),
    principals: schoolNames.map((_, index) => staff(principalKey(index))),
    teachers: classes.flatMap((_, index) => teacherKeys(index).map(staff)),
    ...drawFamilies(random),
  };
}

/** Of every class, this many children have an elder brother or sister two classes above, in the same school. */
const siblingsPerClass = 5;
/** And this many have no parent with an account. */
const withoutParent = 2;

interface Child {
  readonly family: Family;
  /** The younger child whose family it is already. */
  readonly sibling: number | undefined;
  readonly student: RosterStudent;
}

function drawFamilies(random: Random): Pick<Roster, 'students' | 'parents'> {
  const children: Child[] = [];
  for (const classIndex of classes.keys()) {
    for (let seat = 0; seat < studentsPerClass; seat++) {
      const sibling = siblingOf(children.length);
      const family = children[sibling ?? -1]?.family ?? drawFamily(random);
      const student = { key: studentKey(classIndex, seat), fullNameAr: childName(family, random), classIndex, seat };
      children.push({ family, sibling, student });
    }
  }
  return { students: children.map(({ student }) => student), parents: drawParents(children, random) };
}

function drawParents(children: readonly Child[], random: Random): RosterParent[] {
  const heads = [...children.entries()].filter(
    ([, { sibling, student }]) => sibling === undefined && student.seat < studentsPerClass - withoutParent,
  );
  return heads.map(([place, { family, student }], index) => {
    const elder = children.filter(({ sibling }) => sibling === place).map((child) => child.student.key);
    const childKeys = [student.key, ...elder];
    return { key: `parent${index + 1}`, fullNameAr: parentName(family, random), childKeys };
  });
}

/** The place of the younger child in the list of students. */
function siblingOf(index: number): number | undefined {
  const younger = index - 2 * studentsPerClass;
  return younger >= 0 && younger % studentsPerClass < siblingsPerClass ? younger : undefined;
}

/** `student1` to `student100`, class by class. */
export const studentKey = (classIndex: number, seat: number): string =>
  `student${classIndex * studentsPerClass + seat + 1}`;

/** `teacher1` to `teacher8`, class by class. */
export const teacherKeys = (classIndex: number): string[] =>
  Array.from({ length: teachersPerClass }, (_, index) => `teacher${classIndex * teachersPerClass + index + 1}`);

export const principalKey = (schoolIndex: number): string => `principal${schoolIndex + 1}`;
