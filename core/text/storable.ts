/** Returns a text as Postgres can store it: NUL is removed, and an unpaired surrogate replaced. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
