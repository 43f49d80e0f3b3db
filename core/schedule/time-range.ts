export type TimeRange = {
  /** Minutes since midnight. */
  from: number;
  /** Less than `from` when the range goes over midnight. */
  to: number;
};

const CLOCK = String.raw`([01]?\d|2[0-3]):([0-5]\d)`;
const RANGE = new RegExp(String.raw`^${CLOCK}\s*[-–]\s*${CLOCK}$`);

/** Reads `21:00-08:00`, also `9:00 – 17:00`; null for another text. */
export function readTimeRange(text: string): TimeRange | null {
  const found = RANGE.exec(text.trim());
  return found && { from: Number(found[1]) * 60 + Number(found[2]), to: Number(found[3]) * 60 + Number(found[4]) };
}

/** Writes a range as it is stored: `09:00-17:00`. */
export function writeTimeRange({ from, to }: TimeRange): string {
  return `${writeClock(from)}-${writeClock(to)}`;
}

/** Writes minutes since midnight as `09:00`. */
export function writeClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
