// Schemas of responses to families: nothing that is not named here is sent, and sentences contain no digit.
import Type, { type Static } from 'typebox';
import { CalendarDate, Cuid, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { seasons } from '#rules/catalogue/index.ts';

/** Texts without digits and percent signs; some contain the child's name. */
export const FamilyText = named(
  'FamilyWords',
  Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\p{N}%٪]+$' }),
);
/** Names are data and may contain digits. */
const Name = Type.String({ minLength: 1, maxLength: 200 });

const everything = <T extends Type.TSchema>(item: T, most: number) => Type.Array(item, { maxItems: most });

export const ChildList = named(
  'Children',
  object({
    items: Type.Array(
      named(
        'Child',
        object({
          childId: Cuid,
          firstNameAr: Name,
          gradeLevel: nullable(Type.Integer({ minimum: 1, maximum: 4 })),
          schoolName: nullable(Type.String({ maxLength: 200 })),
          lastActiveAt: nullable(Timestamp),
        }),
      ),
    ),
  }),
);

export const mostDiagnostics = 50;

export const ChildDiagnostics = named(
  'ChildDiagnostics',
  object({
    items: everything(
      named('ChildDiagnostic', object({ completedOn: CalendarDate, statusLabelAr: FamilyText })),
      mostDiagnostics,
    ),
  }),
);

const Point = named('GrowthPoint', object({ periodAr: FamilyText, labelAr: FamilyText }));

export const ChildGrowth = named(
  'ChildGrowth',
  object({
    tiles: Type.Array(
      named(
        'GrowthTile',
        object({ macroDomainAr: FamilyText, trajectoryLabelAr: FamilyText, points: everything(Point, seasons.length) }),
      ),
    ),
  }),
);

const AtHome = named('AtHomeSuggestion', object({ titleAr: FamilyText, bodyAr: FamilyText }));

const ChildSuggestions = named(
  'ChildSuggestions',
  object({ windowLabelAr: FamilyText, suggestions: Type.Array(AtHome, { minItems: 1, maxItems: 5 }) }),
);
const ChildHalt = named('ChildHalt', object({ halt: Type.Literal(true), messageAr: FamilyText }));
export const ChildRecommendations = named('ChildRecommendations', Type.Union([ChildSuggestions, ChildHalt]));

export const WindowQuery = object({ window: Type.Optional(Type.Enum([...seasons], { default: 'BOY' })) });

/** The handle of a parent link, or a student id. */
export const childParams = object({
  childId: Type.String({ maxLength: 24, pattern: '^([1-9][0-9]{0,15}|[a-z][a-z0-9]{23})$' }),
});

export type ChildGrowth = Static<typeof ChildGrowth>;
export type ChildRecommendations = Static<typeof ChildRecommendations>;
export type ChildList = Static<typeof ChildList>;
export type ChildDiagnostics = Static<typeof ChildDiagnostics>;
