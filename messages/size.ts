const UNITS = ['KB', 'MB', 'GB'] as const;

/** Returns the size of a file, "1.2 MB", with the number as the tag writes it. */
export function formatSize(bytes: number, tag: string): string {
  let size = bytes / 1_000;
  let unit = 0;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  const digits = size < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Math.max(0.1, size));
  return `${number} ${UNITS[unit] ?? 'GB'}`;
}
