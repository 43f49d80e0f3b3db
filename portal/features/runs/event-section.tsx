import { useState } from 'react';
import { formatClock, plural } from '../../ui/text/format.ts';
import { Section } from '../../ui/layout/layout.tsx';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { type Reading, Understood, UnderstoodTable } from '../../shared/understood.tsx';
import type { Workflow } from '../../queries/agents.ts';
import type { RunDetail } from '../../queries/runs.ts';
import { masked } from './run-steps.tsx';

/** The received event by field with the agent's labels, or as JSON. Where the steps got a value other than the received one, both are shown. */
export function EventSection({ run, inputs, isMasked }: { run: RunDetail; inputs: NonNullable<Workflow['inputs']>; isMasked: boolean }) {
  const [view, setView] = useState<'fields' | 'json'>('fields');
  if (!run.input) return null;
  const value = masked(run.input, isMasked);
  const fields = Object.entries(run.input);
  const readingOf = (key: string): Reading | undefined => run.understood.find((reading) => reading.key === key);
  // Below the fields: a value that came under another name.
  const below = run.understood.filter(({ key }) => view === 'json' || !Object.hasOwn(run.input ?? {}, key));
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
            const reading = readingOf(key);
            return (
              <div
                key={key}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line-soft py-2 md:grid-cols-[180px_minmax(0,1fr)_auto]"
              >
                <dt>
                  <code>{key}</code>
                </dt>
                <dd className="max-md:order-last max-md:col-span-2">
                  <span className="font-mono text-xs leading-5 break-words">{show(masked(field, isMasked))}</span>
                  {reading ? (
                    <span className="mt-1 block">
                      {reading.value === null ? null : <span className="text-ink-3">Understood as </span>}
                      <Understood reading={reading} isMasked={isMasked} />
                    </span>
                  ) : null}
                </dd>
                <dd className="text-right text-ink-3">{declared ? declared.label : 'not used by the agent'}</dd>
              </div>
            );
          })}
        </dl>
      )}
      {below.length > 0 ? (
        <div className="mt-4">
          <h3 className="mb-1 font-semibold">What the steps got</h3>
          <UnderstoodTable readings={below} isMasked={isMasked} />
        </div>
      ) : null}
    </Section>
  );
}

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
