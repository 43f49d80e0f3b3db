import bowser from 'bowser';

/** A browser in words; null where its user agent does not say. */
export type Device = { browser: string | null; system: string | null };

/** Names browser and system of a user agent, such as "Firefox" and "Windows". What it says is a claim, for a person to recognize. */
export function describeDevice(userAgent: string): Device {
  if (userAgent === '') return { browser: null, system: null };
  const { browser, os } = bowser.parse(userAgent);
  return { browser: browser.name || null, system: os.name || null };
}
