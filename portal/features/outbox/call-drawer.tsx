import type { ReactNode } from 'react';
import { formatMoment, formatNumber, formatPhone } from '../../ui/text/format.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { JsonViewer } from '../../ui/text/json-viewer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { countTexts } from '../../shared/message-preview.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { nameOf } from './provider-name.ts';
import type { Call } from './queries.ts';
import { type CallContent, readCall } from './read-call.ts';
import '../../shared/message-bubble.css';
import '../../ui/layout/panel.css';

const TITLES: Record<CallContent['kind'], string> = {
  text: 'Text message',
  mail: 'Mail',
  prompt: 'Question to a language model',
  data: 'Request',
  none: 'Request',
};

/** One captured call as its recipient would see it, and the raw request. */
export function CallDrawer({ call, onClose }: { call: Call | undefined; onClose: () => void }) {
  if (!call) return null;
  const content = readCall(call);
  return (
    <Drawer
      open
      onClose={onClose}
      title={TITLES[content.kind]}
      meta={`${nameOf(call.provider)}, ${formatMoment(call.at)}, responded ${call.status}`}
    >
      <div className="grid grid-cols-1 gap-5">
        {call.status >= 400 ? (
          <Note tone="bad">
            <p>
              <b>The sandbox refused this call with {call.status}.</b> The real service would do the same.
            </p>
          </Note>
        ) : null}
        <Rendered content={content} />
        <section>
          <h3 className="mb-2 text-sm">Request</h3>
          <KeyValues
            rows={[
              [
                'Request',
                <code key="r" title={call.path}>
                  {call.method} {call.path}
                </code>,
              ],
              ['Response', call.status],
            ]}
          />
          {call.body && content.kind !== 'data' ? (
            <div className="mt-2">
              <CodeBlock name="Body" code={call.body} />
            </div>
          ) : null}
        </section>
      </div>
    </Drawer>
  );
}

function Rendered({ content }: { content: CallContent }): ReactNode {
  switch (content.kind) {
    case 'text':
      return <TextMessage {...content} />;
    case 'mail':
      return <Mail {...content} />;
    case 'prompt':
      return <Prompt {...content} />;
    case 'data':
      return <JsonViewer name="Body" value={content.value} />;
    case 'none':
      return <p className="text-ink-2">This call had no body.</p>;
  }
}

function TextMessage({ from, to, body }: Extract<CallContent, { kind: 'text' }>) {
  const { characters, parts } = countTexts(body);
  return (
    <section>
      <KeyValues
        rows={[
          ['To', formatPhone(to)],
          ['From', formatPhone(from)],
          ['Length', `${formatNumber(characters)} characters, ${parts === 1 ? 'one text' : `${parts} texts`}`],
        ]}
      />
      <div className="mt-2 rounded-lg border border-line bg-sunken p-4">
        <p className="message-bubble !bg-surface">{body}</p>
      </div>
    </section>
  );
}

function Mail({ from, to, subject, body }: Extract<CallContent, { kind: 'mail' }>) {
  return (
    <section className="panel">
      <header className="border-b border-line-soft px-4 py-3">
        <h3 className="text-base">{subject || 'No subject'}</h3>
        <p className="text-ink-3">From {from}</p>
        <p className="text-ink-3">To {to}</p>
      </header>
      <p className="px-4 py-4 text-base whitespace-pre-wrap">{body}</p>
    </section>
  );
}

const SPEAKERS: Record<string, string> = { system: 'Instructions', user: 'Question', assistant: 'Previous answer' };

function Prompt({ model, messages }: Extract<CallContent, { kind: 'prompt' }>) {
  return (
    <section>
      <KeyValues rows={[['Model', <code key="m">{model}</code>]]} />
      <ol className="mt-2 grid gap-3">
        {messages.map((message, at) => (
          <li key={at} className="panel px-4 py-3">
            <p className="mb-1 text-xs text-ink-3">{SPEAKERS[message.role] ?? message.role}</p>
            <p className="whitespace-pre-wrap">{message.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
