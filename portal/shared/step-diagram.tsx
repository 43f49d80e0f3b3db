import type { ReactNode } from 'react';
import './step-diagram.css';
import '../ui/layout/panel.css';

export type DiagramStep = { key: string; icon: ReactNode; name: string; service: string; keys: readonly string[]; counts?: ReactNode };

/** Read-only diagram of an agent's steps. */
export function StepDiagram({ steps, showKeys = true }: { steps: readonly DiagramStep[]; showKeys?: boolean }) {
  return (
    <ol className="panel step-diagram" data-many={steps.length > 5 ? '' : undefined}>
      {steps.map((step) => (
        <li key={step.key}>
          <span className="step-diagram-icon" aria-hidden>
            {step.icon}
          </span>
          <b className="font-figure">{step.name}</b>
          <span className="text-ink-3">{step.service}</span>
          {showKeys && step.keys.length > 0 ? <code>{step.keys.join(', ')}</code> : null}
          {step.counts ? <p className="step-diagram-counts">{step.counts}</p> : null}
        </li>
      ))}
    </ol>
  );
}
