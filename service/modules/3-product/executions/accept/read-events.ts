import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { looksLikeJson, objectInputOf, wrappedField } from '@partner-portal/core/template/event-form.ts';
import { mapAliases } from '@partner-portal/core/template/input.ts';
import type { Json, JsonObject, Template } from '@partner-portal/core/template/types.ts';
import { readJsonField } from '#platform/http/read-event.ts';
import type { RawBody } from '#platform/http/raw-body.ts';
import { refuseField } from '#platform/refuse.ts';

/** The events of a body: one, unless it is a list of objects that the template does not take as a whole. */
export type ReadEvents = { events: JsonObject[]; remarks: string[] };

/**
 * Reads the events of a body for a template: the JSON that a form wraps in one field, the names of a form mapped to the inputs, one event for
 * each object of a list. Refuses what `RawBody.read` does, and `validation_failed` for too many events.
 */
export async function readEvents(rawBody: RawBody, template: Template | undefined): Promise<ReadEvents> {
  // Most mails of a business have a logo or a file, and a gateway that is refused drops the mail.
  const { kind, value, remarks } = await rawBody.read(template?.inputs.some(({ headers }) => headers !== undefined));
  if (kind === 'json') return { events: eventsOf(template, value as JsonObject | JsonObject[]), remarks }; // parsed from JSON
  const form = unwrap(template, value as JsonObject); // a form has texts, lists and objects
  const events = eventsOf(template, form.value).map((event) => parseObjects(template, template ? mapAliases(template, event) : event));
  return { events: events.map(({ event }) => event), remarks: [...remarks, ...form.remarks, ...events.flatMap((one) => one.remarks)] };
}

/** Other fields of a form that wraps its event say something about it and stay, where the event has no member of their name. */
function unwrap(template: Template | undefined, fields: JsonObject): { value: JsonObject | JsonObject[]; remarks: string[] } {
  const name = wrappedField(template, fields);
  const text = name === null ? undefined : fields[name];
  const read = typeof text === 'string' ? readJsonField(text) : null;
  if (name === null || read === null) return { value: fields, remarks: [] };
  const value = read.value as JsonObject | JsonObject[]; // parsed from JSON
  if (Array.isArray(value)) return { value, remarks: read.remarks };
  const { [name]: _wrapped, ...others } = fields;
  return { value: { ...others, ...value }, remarks: read.remarks };
}

/** An input of the type object takes the JSON that a field of a form holds. */
function parseObjects(template: Template | undefined, event: JsonObject): { event: JsonObject; remarks: string[] } {
  const key = objectInputOf(template);
  const text = key === undefined ? undefined : event[key];
  const read = looksLikeJson(text) ? readJsonField(text) : null;
  if (key === undefined || read === null) return { event, remarks: [] };
  return { event: { ...event, [key]: read.value as Json }, remarks: read.remarks }; // parsed from JSON
}

function eventsOf(template: Template | undefined, value: JsonObject | JsonObject[]): JsonObject[] {
  if (!Array.isArray(value)) return [value];
  const whole = objectInputOf(template);
  if (whole !== undefined) return [{ [whole]: value }];
  if (value.length > LIMITS.eventsOfListMax)
    refuseField('', 'too_many', `A list may hold at most ${LIMITS.eventsOfListMax} events, and this one has ${value.length}.`);
  return value;
}
