import { ingestPath } from '@partner-portal/contract/ingest-path.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type InputExamples, inputExamples } from '@partner-portal/core/template/input-examples.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { announceError } from '../../shared/announce-error.ts';
import type { Agent, Workflow } from '../../queries/agents.ts';
import { clientQuery } from '../../queries/clients.ts';
import type { Json } from '../../ui/text/json-viewer.tsx';
import { DateOrderSection } from './date-order-section.tsx';
import { EventIdSection } from './event-id-section.tsx';
import { type SnippetKind, snippetFor } from './snippets.ts';
import '../../ui/forms/field.css';
import '../../ui/forms/input.css';
import '../../ui/table/table.css';

type Input = NonNullable<Workflow['inputs']>[number] & { accepted: InputExamples };

/** The secret ingest URL, masked until revealed, and snippets that call it. */
export function ConnectTab({ agent, workflow }: { agent: Agent; workflow: Workflow }) {
  const [kind, setKind] = useState<SnippetKind>('curl');
  const [isShown, setShown] = useState(false);
  // View-as sessions never show secrets.
  const isViewing = useIsViewing();
  const reveal = useMutation({
    mutationFn: () => api.getIngestUrl({ params: { workflowId: agent.id } }),
    onSuccess: () => setShown(true),
    onError: (error) => announceError(error),
  });
  const masked = `${location.origin}${ingestPath(agent.id)}?token=${'•'.repeat(12)}`;
  const url = isShown && reveal.data ? reveal.data.url : masked;
  const inputs = workflow.inputs ?? [];
  const { partner } = useUser();
  const client = useQuery({ ...clientQuery(agent.clientId ?? ''), enabled: agent.clientId !== null }).data;
  // Examples of another zone or country would be misread: they wait for the client.
  const isKnown = agent.clientId === null || client !== undefined;
  const reading = { timezone: client?.timezone ?? partner.timezone, country: client?.ownCountries?.[0] ?? null };
  const { name, code, note } = snippetFor(kind, url, inputs);
  return (
    <div className="max-w-page">
      <Section title="Ingest URL" note="POST to it to start a run">
        <div className="input !pr-1">
          <code
            tabIndex={0}
            aria-label="Ingest URL"
            role="textbox"
            aria-readonly
            className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap"
          >
            {url}
          </code>
          {isShown ? <CopyButton text={url} /> : null}
          <Button
            size="sm"
            icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            disabledReason={isViewing ? READ_ONLY : undefined}
            busy={reveal.isPending && 'Revealing'}
            onClick={() => {
              if (isShown) setShown(false);
              else reveal.mutate();
            }}
          >
            {isShown ? 'Hide' : 'Reveal'}
          </Button>
        </div>
        <p className="field-hint">
          Anyone with this URL can start runs. Revealing it is recorded in the audit log. It stays the same when the agent is set up again.
        </p>
      </Section>
      <Section
        title="Send an event"
        aside={
          <Segmented
            label="Method"
            value={kind}
            onChange={setKind}
            options={[
              { value: 'curl', label: 'cURL' },
              { value: 'form', label: 'Form post' },
              { value: 'phone', label: 'Phone provider' },
              { value: 'web', label: 'Web form' },
            ]}
          />
        }
      >
        <p className="mb-2 text-ink-2">{note}</p>
        <CodeBlock
          name={name}
          code={code}
          aside={isShown ? null : <span className="text-xs text-ink-3">Reveal the URL to copy a working snippet</span>}
        />
      </Section>
      <Section title="Event fields">
        <p className="mb-2 text-ink-2">
          Send JSON or a form, also <code>multipart/form-data</code> without files; those of a mail are left out. A JSON list of up to{' '}
          {LIMITS.eventsOfListMax} events starts one run for each. An event with an ID that is repeated starts no second run.
        </p>
        {isKnown ? (
          <Table
            label="Inputs"
            columns={INPUT_COLUMNS}
            rows={inputs.map((input) => ({ ...input, accepted: inputExamples(input, reading) }))}
            rowKey={(input) => input.key}
            dense
          />
        ) : null}
      </Section>
      {inputs.some(({ type }) => type === 'datetime') ? <DateOrderSection agent={agent} /> : null}
      <EventIdSection agent={agent} workflow={workflow} />
    </div>
  );
}

const INPUT_COLUMNS: Column<Input>[] = [
  { key: 'key', head: 'Field', cell: (input) => <code>{input.key}</code> },
  {
    key: 'label',
    head: 'Description',
    lead: true,
    cell: (input) => (
      <>
        {input.label}
        {input.required ? <span className="ml-2 text-xs text-ink-3">required</span> : null}
        <span className="table-second-line table-phone-line whitespace-normal">
          {input.accepted.type}
          <Examples {...input.accepted} />
        </span>
      </>
    ),
  },
  { key: 'type', head: 'Kind', hide: 'phone', cell: (input) => <span className="text-ink-2">{input.accepted.type}</span> },
  { key: 'examples', head: 'Accepted, for example', hide: 'phone', cell: (input) => <Examples {...input.accepted} /> },
  {
    key: 'aliases',
    head: 'In forms also as',
    hide: 'phone',
    cell: (input) => <code className="break-words whitespace-normal text-ink-2">{input.aliases.join(', ') || '–'}</code>,
  },
];

function Examples({ examples, note }: InputExamples) {
  return (
    <span className="block py-1.5 whitespace-normal">
      {examples.map((example, at) => (
        <code key={at} className="block break-words text-ink-2">
          {show(example)}
        </code>
      ))}
      {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
    </span>
  );
}

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
