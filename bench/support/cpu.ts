import { readdirSync, readFileSync } from 'node:fs';

/** Processor time by part of the system, in microseconds. Other load on the machine hardly affects it. */
export type Costs = Record<string, number>;

const TICK_US = 10_000;

/** Returns what each process and its children, or each alone, have used so far. Empty without /proc. */
export function readCosts(parts: Record<string, number>, withChildren = true): Costs {
  try {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readProcess(Number(name)));
    return Object.fromEntries(
      Object.entries(parts).map(([name, pid]) => {
        const own = all.filter((one) => one && (one.pid === pid || (withChildren && one.parent === pid)));
        return [name, own.reduce((sum, one) => sum + (one?.usedUs ?? 0), 0)];
      }),
    );
  } catch {
    return {};
  }
}

/** Returns what was used between two readings, per event. */
export function costsSince(before: Costs, after: Costs, events: number): Costs {
  return Object.fromEntries(Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / (events || 1)]));
}

export function addCosts(a: Costs, b: Costs): Costs {
  return Object.fromEntries(Object.keys({ ...a, ...b }).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** Costs as one text. */
export function costText(costs: Costs): string {
  const total = Object.values(costs).reduce((sum, one) => sum + one, 0);
  const parts = Object.entries(costs).map(([name, us]) => `${name} ${us.toFixed(0)}`);
  return `${total.toFixed(0)} us an event (${parts.join(', ')})`;
}

function readProcess(pid: number): { pid: number; parent: number; usedUs: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), usedUs: (Number(fields[11]) + Number(fields[12])) * TICK_US };
  } catch {
    return undefined; // the process has ended
  }
}
