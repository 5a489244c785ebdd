// Request and response schemas of the remote control and of the playlist.
import Type from 'typebox';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { controlActions, liveStates } from '../enums.ts';
import { ItemRef } from '../lessons/schemas.ts';

const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

export const ControlBody = object({
  action: oneOf(controlActions),
  /** Required for `goto` and not allowed for other actions. */
  itemRef: Type.Optional(ItemRef),
  expectedVersion: Type.Optional(Version),
});

export const Controlled = named(
  'LiveSessionControlled',
  object({
    state: oneOf(liveStates),
    controlVersion: Version,
    currentItemRef: nullable(ItemRef),
    responsesLocked: Type.Boolean(),
  }),
);

/** Without `blueprintId`, the items are those of the lesson that is being taught. */
export const PlaylistBody = object({
  blueprintId: Type.Optional(Cuid),
  itemRefs: Type.Array(ItemRef, { minItems: 1, maxItems: 40 }),
});

export const LivePlaylistView = named(
  'LivePlaylist',
  object({ items: Type.Array(BlueprintItem), controlVersion: Version }),
);
