import type { ReactNode } from 'react';
import type { Agent, AgentCounts, Workflow } from '../../queries/agents.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { StepDiagram } from '../../shared/step-diagram.tsx';
import { stepIcon } from '../../ui/identity/icons.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';

type Props = { agent: Agent; workflow: Workflow; counts: AgentCounts | undefined };

/** The steps of the agent, each with what it did in the newest runs; read only. */
export function WhatItDoes({ agent, workflow: { definition, templateVersion }, counts }: Props) {
  const steps = definition.steps
    .filter((step) => step.kind !== 'report')
    .map((step) => ({
      key: step.name,
      icon: stepIcon(step),
      name: step.label,
      service: step.provider && step.provider !== 'code' ? PROVIDERS[step.provider].name : 'Code',
      keys: step.reads,
      counts: countsOf(counts, step.name),
    }));
  return (
    <Section
      className="mt-10"
      title="What it does"
      note={`read only${templateVersion === null ? '' : `, version ${templateVersion}`}`}
      aside={<span className="text-xs text-ink-3">{spanOf(agent, counts)}</span>}
    >
      <StepDiagram
        steps={[
          {
            key: 'trigger',
            icon: stepIcon('trigger'),
            name: definition.trigger.label,
            service: 'Ingest URL',
            keys: definition.trigger.keys,
            counts: counts && `${formatNumber(counts.runs)} in`,
          },
          ...steps,
          {
            key: 'report',
            icon: stepIcon({ kind: 'report', provider: null }),
            name: 'Report',
            service: 'Always runs',
            keys: [],
            counts: counts && counts.runs > 0 ? endsOf(counts) : undefined,
          },
        ]}
      />
    </Section>
  );
}

function endsOf({ runs, failed }: AgentCounts): ReactNode {
  return (
    <>
      {formatNumber(runs - failed)} succeeded
      {failed > 0 ? (
        <>
          , <span className="text-bad">{formatNumber(failed)} failed</span>
        </>
      ) : null}
    </>
  );
}

/** The time or the number of runs that the counts are about. */
function spanOf({ runs30d }: Agent, counts: AgentCounts | undefined): string | undefined {
  return counts && (counts.runs > 0 && counts.runs < runs30d ? `newest ${plural(counts.runs, 'run')}` : 'last 30 days');
}

/** "363 done, 8 failed, 31 not needed"; nothing while no run is known. */
function countsOf(counts: AgentCounts | undefined, name: string): ReactNode {
  const step = counts?.steps.find((one) => one.name === name);
  if (!step) return undefined;
  return (
    <>
      {formatNumber(step.succeeded)} done
      {step.failed > 0 ? (
        <>
          , <span className="text-bad">{formatNumber(step.failed)} failed</span>
        </>
      ) : null}
      {step.skipped > 0 ? `, ${formatNumber(step.skipped)} not needed` : null}
    </>
  );
}
