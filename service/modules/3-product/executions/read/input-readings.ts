import { cameAs } from '@partner-portal/core/template/input.ts';
import { maskInput } from '@partner-portal/core/template/mask.ts';
import { valueInWords, type ValueReader } from '@partner-portal/core/template/read/in-words.ts';
import type { Json, JsonObject, Template } from '@partner-portal/core/template/types.ts';
import type { EventRemark } from '../accept/store-accept.ts';

/** The stored reading of an event. `came`: the event, or those of its members that `understood` names. */
export type StoredReading = { came: JsonObject | null; understood: JsonObject | null; remarks: readonly EventRemark[] | null };

/**
 * Returns the values that are understood as another one, in the order of the template, as the contract's inputReading. A text whose characters were only
 * cleaned is left out. `isMasked`: phone numbers and mail addresses are.
 */
export function inputReadings(template: Template | undefined, stored: StoredReading, reader: ValueReader & { isMasked: boolean }) {
  const { understood, came } = stored;
  if (template === undefined || understood === null || came === null) return [];
  return template.inputs.flatMap(({ key, label, type }) => {
    if (!Object.hasOwn(understood, key)) return [];
    const original = came[key] ?? null;
    const value = understood[key] ?? null;
    const isCleaned = (type === 'text' || type === 'longtext') && typeof original === 'string' && value !== null;
    if (isCleaned) return [];
    const masked = (one: Json): Json => (reader.isMasked ? (maskInput(template, { [key]: one })[key] ?? null) : one);
    const words = reader.isMasked && (type === 'phone' || type === 'email') ? null : valueInWords(type, value, reader);
    const shownText = value === null ? null : (words ?? (typeof value === 'object' ? null : String(masked(value))));
    const remark = value === null ? (stored.remarks?.find((one) => one.key === key)?.remark ?? null) : null;
    return [{ key, label, came: cameAs(masked(cameText(original))), value: masked(value), text: shownText, remark }];
  });
}

/** A value that is no text is shown as its JSON, whose numbers and addresses are masked like those of a text. */
function cameText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns what was noticed of the whole event, and of values that steps get. */
export function eventRemarks({ understood, remarks }: Pick<StoredReading, 'understood' | 'remarks'>): string[] {
  return (remarks ?? []).flatMap(({ key, remark }) => (key !== null && understood?.[key] === null ? [] : [remark]));
}
