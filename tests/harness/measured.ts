import { recordWith } from '@partner-portal/service/platform/measure.ts';

/** Returns what is measured under a name while the work runs, as the labels of each count. */
export async function measuredDuring(wanted: string, work: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  const note = (name: string, labels: Readonly<Record<string, string>>): void => {
    if (name === wanted) found.push(Object.values(labels).join(' '));
  };
  recordWith({ observe: note, count: note });
  try {
    await work();
  } finally {
    recordWith(null);
  }
  return found;
}
