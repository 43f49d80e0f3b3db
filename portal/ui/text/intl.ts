/**
 * Formatters by language and options, each made once: making one takes longer than formatting a hundred values, and a list of runs formats
 * hundreds.
 */
const made = new Map<string, unknown>();
/** A reader has one language and one zone; the zones of others are few. */
const MADE_MAX = 200;

/** @throws RangeError for an unknown time zone. */
export function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(`date ${tag} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options));
}

/** @throws RangeError for a currency that is no three letters. */
export function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return once(`number ${tag} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
}

export function listFormat(tag: string): Intl.ListFormat {
  return once(`list ${tag}`, () => new Intl.ListFormat(tag, { type: 'conjunction' }));
}

export function relativeFormat(tag: string): Intl.RelativeTimeFormat {
  return once(`relative ${tag}`, () => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }));
}

function once<Format>(key: string, make: () => Format): Format {
  const known = made.get(key);
  if (known !== undefined) return known as Format; // a key names the kind of its formatter
  if (made.size >= MADE_MAX) made.clear();
  const format = make();
  made.set(key, format);
  return format;
}
