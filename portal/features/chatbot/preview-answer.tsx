import { UserRound, Workflow } from 'lucide-react';
import type { Reply } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import './preview-chat.css';

export type Answer = Reply<'previewChatbot'>;

/** What an answer stands on, what it would have started, and what it cost. */
export function PreviewAnswer({ answer }: { answer: Answer }) {
  const { passages, wouldRun, wouldHandOff, usage, creditsCharged } = answer;
  const tokens = plural(usage.inputTokens + usage.outputTokens, 'token');
  return (
    <div className="preview-chat-note">
      {wouldRun ? <WouldRun run={wouldRun} /> : null}
      {wouldHandOff ? (
        <p className="flex items-start gap-1.5">
          <UserRound className="icon-small mt-px flex-none text-ink-2" aria-hidden /> Would hand over to a person
        </p>
      ) : null}
      {passages.length > 0 ? <Passages passages={passages} /> : wouldRun ? null : <p className="text-ink-3">No matching passage</p>}
      <p className="tabular-nums text-ink-3">
        {usage.isEstimated ? 'about ' : ''}
        {tokens}, {creditsCharged > 0 ? plural(creditsCharged, 'credit') : 'no credits'}
      </p>
    </div>
  );
}

function WouldRun({ run: { agentName, inputs } }: { run: NonNullable<Answer['wouldRun']> }) {
  const given = Object.entries(inputs);
  return (
    <div>
      <p className="flex items-start gap-1.5">
        <Workflow className="icon-small mt-px flex-none text-ink-2" aria-hidden />
        <span>
          Would run <b className="font-medium">{agentName}</b>
          {given.length > 0 ? ' with' : ''}
        </span>
      </p>
      {given.length > 0 ? (
        <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pl-4.5">
          {given.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

function Passages({ passages }: { passages: Answer['passages'] }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer text-ink-2">Stands on {plural(passages.length, 'passage')}</summary>
      <ol className="mt-1.5 grid gap-2">
        {passages.map((passage, at) => (
          <li key={at}>
            <b className="font-medium">{passage.title}</b>
            {passage.heading ? <span className="text-ink-3">, {passage.heading}</span> : null}
            <p className="line-clamp-4 text-ink-2" dir="auto">
              {passage.excerpt}
            </p>
          </li>
        ))}
      </ol>
    </details>
  );
}
