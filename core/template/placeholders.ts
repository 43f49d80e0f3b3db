/** Reads the values that placeholders such as `{input.name}` refer to. */

export function readText(values: unknown, path: string): string {
  let value = values;
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return plain(value);
}

export function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(plain).join(', ') : '';
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
