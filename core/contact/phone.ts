/** Whether a text is a phone number in E.164 form: a plus, then 7 to 15 digits that do not start with zero. */
export function isE164(value: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(value);
}

/**
 * Brings the spellings people use ("+1 (312) 555-0121", "0044 20 7946 0000") into E.164 form.
 * Answers null when the country cannot be known: a guessed country would text a stranger.
 */
export function toE164(value: string): string | null {
  const compact = value.trim().replace(/[\s().\-/]/g, '');
  const candidate = compact.startsWith('00') ? `+${compact.slice(2)}` : compact;
  return isE164(candidate) ? candidate : null;
}
