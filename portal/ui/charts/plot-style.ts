/** What every plot shares. Labels of the value axis are short, so it takes less room than the library gives it. */
export const MARGIN = { top: 10, right: 4, bottom: 0, left: -22 };
export const AXIS_TICK = { fontSize: 11, fill: 'var(--color-ink-3)' };
