/** Reports how far an export is, from 0 to 99, each number once. The rest is the commit. */
export function createProgress(total: number, report: (percent: number) => void): { add(rows: number): void } {
  let done = 0;
  let last = 0;
  return {
    add(rows) {
      done += rows;
      const percent = total === 0 ? 0 : Math.min(99, Math.floor((99 * done) / total));
      if (percent <= last) return;
      last = percent;
      report(percent);
    },
  };
}
