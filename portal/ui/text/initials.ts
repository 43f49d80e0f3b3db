/** "NS" for "Northwind Studio". */
export function initials(name: string): string {
  const words = name.split(/[\s&.,-]+/).filter(Boolean);
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase();
}
