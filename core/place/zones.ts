/** Which time zones a country has, by the runtime's own data. */

/** A formatter costs more than all else that is done with the zone of an event. There are some six hundred names; spellings have no end. */
const currentNames = new Map<string, string>();
const NAMES_MAX = 2_000;

/** Returns the current name of a time zone: old names, such as US/Central, become current ones; null for what is no zone. */
export function currentZone(timezone: string): string | null {
  const known = currentNames.get(timezone);
  if (known !== undefined) return known;
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
    if (currentNames.size < NAMES_MAX) currentNames.set(timezone, name);
    return name;
  } catch {
    return null;
  }
}

/** Returns the zones of a country, by their current names. */
export function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] }; // a getter in some runtimes, a method in others
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return zones.flatMap((zone) => currentZone(zone) ?? []);
}
