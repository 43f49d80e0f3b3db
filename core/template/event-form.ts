import type { Json, JsonObject, Template } from './types.ts';

/** Forms that wrap their event in one field, as form builders and chat programs send it. Rules: docs/behaviour/executions.md. */

/** Names under which an event is wrapped; they decide where several fields hold JSON. */
const WRAPPERS: readonly string[] = ['payload', 'data', 'rawrequest'];

/**
 * Returns the field of a form that holds its event as JSON: the only one that looks like JSON, or the only one of them with a usual name. Null
 * when an input of the template claims it or any other field: then the form itself is the event.
 */
export function wrappedField(template: Template | undefined, fields: JsonObject): string | null {
  const claimed = claimedNames(template);
  if (Object.keys(fields).some((name) => claimed.has(name.toLowerCase()))) return null;
  const all = Object.entries(fields).flatMap(([name, value]) => (looksLikeJson(value) ? [name] : []));
  const usual = all.filter((name) => WRAPPERS.includes(name.toLowerCase()));
  const found = usual.length > 0 ? usual : all;
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Returns the key of the input that takes a whole object or list; undefined for a template without one. */
export function objectInputOf(template: Template | undefined): string | undefined {
  return template?.inputs.find(({ type }) => type === 'object')?.key;
}

/** Whether a text may be a JSON object or list. Only the parser knows. */
export function looksLikeJson(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\s*[[{]/.test(value) && /[\]}]$/.test(value.trimEnd());
}

function claimedNames(template: Template | undefined): Set<string> {
  return new Set((template?.inputs ?? []).flatMap(({ key, aliases }) => [key, ...aliases]).map((name) => name.toLowerCase()));
}
