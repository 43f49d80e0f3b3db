import type { Json, JsonObject, Template } from '@partner-portal/core/template/types.ts';
import { maskInput } from '@partner-portal/core/template/mask.ts';

/** Inputs up to this size are masked whole. */
const WHOLE_BYTES = 8_192;
/** Characters of a longer one that are masked: more than the inbound log and a sentence show. */
const SHOWN_LENGTH = 4_096;

/**
 * Returns the masked input for the inbound log and the sentence of an execution. Both show its beginning, and masking costs several times the
 * parse, so of a large input only the beginning is masked.
 */
export function shownInput(template: Template, input: JsonObject, bytes: number): JsonObject {
  return maskInput(template, bytes <= WHOLE_BYTES ? input : shortenMembers(input, { left: SHOWN_LENGTH * 2 }));
}

function shortenMembers(value: JsonObject, room: { left: number }): JsonObject {
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (room.left <= 0) break;
    room.left -= key.length + 4;
    members.push([key, shorten(member, room)]);
  }
  return Object.fromEntries(members);
}

function shorten(value: Json, room: { left: number }): Json {
  if (typeof value === 'string') {
    const shown = value.length > SHOWN_LENGTH ? `${cutBetweenWords(value)}…` : value;
    room.left -= shown.length;
    return shown;
  }
  room.left -= 4;
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value)) return shortenMembers(value, room);
  const items: Json[] = [];
  for (const item of value) {
    if (room.left <= 0) break;
    items.push(shorten(item, room));
  }
  return items;
}

/** Half an address or number would not be recognised, and so not be masked. */
function cutBetweenWords(text: string): string {
  const cut = text.slice(0, SHOWN_LENGTH);
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'), cut.lastIndexOf(','), cut.lastIndexOf(';'));
  return cut.slice(0, Math.max(end, SHOWN_LENGTH - 512)).replace(/[\s\d().+-]{0,24}$/, '');
}
