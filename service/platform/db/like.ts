/** Returns the text for LIKE as it stands: `%`, `_` and the backslash match themselves. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Returns the pattern of texts that contain this one. */
export function containing(text: string): string {
  return `%${literalPattern(text)}%`;
}
