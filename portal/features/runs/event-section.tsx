import { useState } from 'react';
import { formatClock, plural } from '../../ui/text/format.ts';
import { Section } from '../../ui/layout/layout.tsx';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { Workflow } from '../../queries/agents.ts';
import type { RunDetail } from './queries.ts';
import { masked } from './run-steps.tsx';

/** The received event by field with the agent's labels, or as JSON. */
export function EventSection({ run, inputs, isMasked }: { run: RunDetail; inputs: NonNullable<Workflow['inputs']>; isMasked: boolean }) {
  const [view, setView] = useState<'fields' | 'json'>('fields');
  if (!run.input) return null;
  const value = masked(run.input, isMasked);
  const fields = Object.entries(run.input);
  return (
    <Section
      className="mt-8"
      title="Event as received"
      note={`${formatClock(run.startedAt)}, ${plural(fields.length, 'field')}`}
      aside={
        <Segmented
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'fields', label: 'Fields' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      }
    >
      {view === 'json' ? (
        <JsonViewer name="Event" value={value} />
      ) : (
        <dl className="border-t border-line">
          {fields.map(([key, field]) => {
            const declared = inputs.find((input) => input.key === key);
            return (
              <div
                key={key}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line-soft py-2 md:grid-cols-[180px_minmax(0,1fr)_auto]"
              >
                <dt>
                  <code>{key}</code>
                </dt>
                <dd className="font-mono text-xs leading-5 max-md:order-last max-md:col-span-2">{show(masked(field, isMasked))}</dd>
                <dd className="text-right text-ink-3">{declared ? declared.label : 'not used by the agent'}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </Section>
  );
}

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
