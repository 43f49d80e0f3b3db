import { readTimeRange, writeClock } from '@partner-portal/core/schedule/time-range.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { formatNumber, formatPhone } from '../../ui/text/format.ts';
import { useUser } from '../../app/session.ts';
import { usePaused } from '../../ui/hooks/use-paused.ts';
import { KeyValues } from '../../ui/layout/layout.tsx';
import type { Json } from '../../ui/text/json-viewer.tsx';
import { countTexts, MessagePreview } from '../../shared/message-preview.tsx';
import { readMessage } from '../../shared/rendered-message.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Time } from '../../ui/text/time.tsx';
import { catalogQuery } from '../../queries/catalog.ts';
import type { Agent } from '../../queries/agents.ts';
import { configErrors } from './config-field.tsx';
import type { Draft } from './use-draft.ts';
import { agentPreviewQuery } from './queries.ts';
import '../../ui/layout/panel.css';
import '../../ui/layout/section-header.css';

type Preview = Reply<'testAgent'>['steps'][number];

const PAUSE_MS = 500;

/** Preview of the agent's messages with the settings in the form, rendered by the service. Nothing is sent. */
export function AgentPreview({ agent, config, refusal }: { agent: Agent; config: Draft['config']; refusal: string | undefined }) {
  const settled = usePaused(config, PAUSE_MS);
  const [picked, setPicked] = useState(0);
  const preview = useQuery({
    ...agentPreviewQuery(agent.id, settled),
    // Half a time is no setting yet, nor is a list of numbers with something else in it.
    enabled:
      refusal === undefined &&
      !agent.configSchema.some(({ key, type }) => type === 'time-range' && isHalfRange(settled[key])) &&
      Object.keys(configErrors(agent.configSchema, settled)).length === 0,
  });
  // Steps that send no message have no preview.
  const steps = (preview.data?.steps ?? []).filter((one) => readMessage(one.rendered).body !== undefined);
  const step = steps[picked] ?? steps[0];
  const [hours, setHours] = useState<'open' | 'quiet'>('open');
  const quiet = quietHoursOf(agent, config);
  // Mails are written at any hour.
  const isText = step !== undefined && readMessage(step.rendered).channel !== 'mail';
  return (
    <aside>
      <div className="section-header">
        <h2>What people receive</h2>
        <span className="ml-auto" />
        {steps.length > 1 ? (
          <Segmented
            label="Message"
            value={String(picked)}
            onChange={(value) => setPicked(Number(value))}
            options={steps.slice(0, 3).map((one, at) => ({ value: String(at), label: one.label }))}
          />
        ) : null}
      </div>
      {refusal ? <SampleConversation agent={agent} /> : null}
      {preview.error && Object.keys(fieldErrors(preview.error)).length === 0 ? (
        <ErrorBlock error={preview.error} onRetry={() => void preview.refetch()} />
      ) : null}
      {step && quiet && isText ? (
        <div className="mb-2 flex">
          <Segmented
            label="Hours"
            value={hours}
            onChange={setHours}
            options={[
              { value: 'open', label: 'Open hours' },
              { value: 'quiet', label: 'Quiet hours' },
            ]}
          />
        </div>
      ) : null}
      {step ? <Rendered step={step} agent={agent} quiet={quiet && isText && hours === 'quiet' ? quiet : undefined} /> : null}
      {preview.data && !step ? (
        <p className="rounded-lg border border-line bg-sunken p-4 text-ink-2">
          This agent sends no messages. You find its result in each run.
        </p>
      ) : null}
      <div className="mt-3">
        <KeyValues
          rows={[
            ...lengthRow(step),
            ['Costs', `${formatNumber(agent.creditsPerRun)} ${agent.creditsPerRun === 1 ? 'credit' : 'credits'} a run`],
            ['Last run', <Time key="l" iso={agent.lastRunAt} style="long" />],
          ]}
        />
      </div>
    </aside>
  );
}

function isHalfRange(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '' && readTimeRange(value) === null;
}

/** "21:00" and "08:00" of the settings in the form; undefined for an agent without quiet hours, or while they are no two times. */
function quietHoursOf({ configSchema }: Agent, config: Draft['config']): { from: string; until: string } | undefined {
  const setting = configSchema.find(({ key, type }) => key === 'quietHours' && type === 'time-range');
  const range = setting && readTimeRange(String(config[setting.key] ?? setting.default));
  return range && range.from !== range.to ? { from: writeClock(range.from), until: writeClock(range.to) } : undefined;
}

function Rendered({ step, agent, quiet }: { step: Preview; agent: Agent; quiet: { from: string; until: string } | undefined }) {
  const user = useUser();
  const from = agent.clientName ?? user.partner.name;
  const { body, subject, to, channel, note } = readMessage(step.rendered);
  if (body === undefined) return null;
  if (channel === 'mail') {
    return (
      <article className="panel overflow-hidden" aria-live="polite">
        <header className="border-b border-line-soft px-4 py-3">
          <p className="text-xs text-ink-3">
            {from} to {to || 'the recipient'}
          </p>
          <p className="font-semibold">{subject || 'No subject'}</p>
        </header>
        <p className="p-4 whitespace-pre-wrap">{body}</p>
        {note ? <p className="border-t border-line-soft px-4 py-2 text-xs text-ink-3">{note}</p> : null}
      </article>
    );
  }
  if (quiet)
    return (
      <MessagePreview from={from} text="" after={`No text is sent from ${quiet.from} until ${quiet.until}, in the time zone of ${from}.`} />
    );
  return <MessagePreview from={from} text={body} {...(to ? { before: `To ${formatPhone(to)}` } : {})} {...(note ? { after: note } : {})} />;
}

/** The template's sample, for users who may not render previews. */
function SampleConversation({ agent }: { agent: Agent }) {
  const { data } = useQuery(catalogQuery(agent.clientId ?? undefined));
  const lines = data?.find((entry) => entry.name === agent.templateName)?.sampleConversation ?? [];
  if (lines.length === 0) return null;
  return <MessagePreview from={agent.clientName ?? 'Sample'} before="Sample message" text={lines[0]?.text ?? ''} />;
}

function lengthRow(step: Preview | undefined): [string, string][] {
  const { body, channel } = step ? readMessage(step.rendered) : {};
  if (body === undefined || channel === 'mail') return [];
  const { characters, parts } = countTexts(body);
  return [['Length', `${characters} characters, ${parts === 1 ? '1 text' : `${parts} texts`}`]];
}

/** Links to the business profile that fills empty settings. */
export function ProfileHint({ agent }: { agent: Agent }) {
  if (!agent.clientId) return null;
  return (
    <p className="text-xs text-ink-3">
      Empty links come from the{' '}
      <Link className="link" to="/dashboard/clients/$id" params={{ id: agent.clientId }} search={{ tab: 'settings' }}>
        business profile of {agent.clientName}
      </Link>
      .
    </p>
  );
}
