/** Returns a time of day as "HH:MM" from what a person types: "8", "830", "8:30", "8.30 pm"; undefined for anything else. */
export function parseClock(text: string): string | undefined {
  const found = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm)?$/i.exec(text.trim());
  if (!found) return undefined;
  const [, hours = '', minutes = '00', half] = found;
  let hour = Number(hours);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  }
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
