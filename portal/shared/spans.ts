const LABELS = {
  today: 'Today',
  month: 'This month',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '365d': 'Last 365 days',
  all: 'Any time',
} as const;

/** Returns the choices of a filter by time, in this order. */
export function spanChoices<Span extends keyof typeof LABELS>(...spans: readonly Span[]): { value: Span; label: string }[] {
  return spans.map((value) => ({ value, label: LABELS[value] }));
}
