/** When the server made an id, which a UUIDv7 holds; the clock of this computer may be wrong. */
export function timeOf(id: string): string {
  const ms = id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Date.now();
  return new Date(ms).toISOString();
}
