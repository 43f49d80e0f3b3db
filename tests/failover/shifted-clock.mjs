// A preload: the wall clock of this process is SHIFTED_CLOCK_MS ahead of the machine's. What measures durations (performance.now, timers) is not moved.
const shiftMs = Number(process.env.SHIFTED_CLOCK_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};
