import type { UsageRow } from '../../shared/usage-columns.tsx';

export type AgencyShare = UsageRow & { isRest: boolean };

/** The agencies with most credits, and all others as one; a single other one stands for itself. */
export function largestAgencies(rows: readonly UsageRow[], most: number): AgencyShare[] {
  const sorted = rows.toSorted((a, b) => b.credits - a.credits || b.runs - a.runs);
  const alone = sorted.length <= most + 1 ? sorted : sorted.slice(0, most);
  const rest = sorted.slice(alone.length);
  const sum = (of: (row: UsageRow) => number): number => rest.reduce((total, row) => total + of(row), 0);
  return [
    ...alone.map((row) => ({ ...row, isRest: false })),
    ...(rest.length === 0
      ? []
      : [
          {
            key: 'rest',
            label: `${rest.length} others`,
            credits: sum((row) => row.credits),
            runs: sum((row) => row.runs),
            failed: sum((row) => row.failed),
            isRest: true,
          },
        ]),
  ];
}
