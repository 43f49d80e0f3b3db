import { maskEmail, maskPhone, maskText } from '../contact/mask.ts';
import type { Json, JsonObject, Template } from './types.ts';

/** Masks personal data in inputs, outputs and step payloads. Browser-safe. */

/**
 * Returns the input with phone numbers and e-mail addresses masked: in the keys that the template declares as such, inside longer
 * texts and in nested values.
 */
export function maskInput(template: Template, input: { readonly [key: string]: Json }): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const type = template.inputs.find((one) => one.key === key)?.type;
      if (typeof value === 'string' && type === 'phone') return [key, maskPhone(value)];
      if (typeof value === 'string' && type === 'email') return [key, maskEmail(value.trim())];
      return [key, maskJson(value)];
    }),
  );
}

/** Masks outputs and step payloads, whose keys are not declared by a template. */
export function maskJson(value: Json): Json {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskJson(item)]));
}
