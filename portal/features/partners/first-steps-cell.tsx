import type { PartnerOnboarding } from './queries.ts';

/** How far a partner is: the count, and the next step on hover and for screen readers. */
export function FirstStepsCell({ progress }: { progress: PartnerOnboarding | undefined }) {
  if (!progress) return <span className="text-ink-3">–</span>;
  const { done, total, nextTitle } = progress;
  const next = done === total ? 'All done' : nextTitle === null ? 'The rest is hidden' : `Next: ${nextTitle}`;
  return (
    <span className="tabular-nums text-ink-2" title={next}>
      {done} of {total}
      <span className="sr-only">. {next}</span>
    </span>
  );
}
