import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { RotateCcw, SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { brandTokens } from '../../shared/brand.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { isOfInputMethod } from '../../ui/keyboard/input-method.ts';
import { isColour } from '../../ui/forms/colour-field.tsx';
import type { Client } from '../../queries/clients.ts';
import { completeRoutes, type Draft, modelOf, starters } from './draft.ts';
import './preview-chat.css';
import '../../ui/forms/input.css';
import { PreviewAnswer, type Answer } from './preview-answer.tsx';
import { PreviewProblem } from './preview-problem.tsx';
import '../../ui/layout/section-header.css';

type Props = {
  clientId: string;
  businessName: string;
  profile: Client['businessProfile'];
  draft: Draft;
  saved: Draft;
  refusal: string | undefined;
};
type Line = { author: 'visitor' | 'bot'; text: string; answer?: Answer };

/** The service reads this many messages of a conversation. */
const LINES_MAX = 20;

/** A chat with the settings as they are in the form. No agent runs and nothing is stored. */
export function PreviewChat({ clientId, businessName, profile, draft, saved, refusal }: Props) {
  const { partner } = useUser();
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [text, setText] = useState('');
  const log = useRef<HTMLDivElement>(null);
  const ask = useMutation({
    mutationFn: (asked: readonly Line[]) =>
      formApi.previewChatbot({
        body: {
          clientId,
          persona: draft.persona,
          ...modelOf(draft.model),
          agentRoutes: completeRoutes(draft.agentRoutes),
          messages: asked
            .filter((line) => line.text !== '')
            .slice(-LINES_MAX)
            .map((line) => ({ author: line.author, text: line.text.slice(0, LIMITS.visitorTextMax) })),
        },
      }),
    onSuccess: (answer, asked) => setLines([...asked, { author: 'bot', text: answer.reply, answer }]),
  });
  useEffect(() => {
    // Within the log: the page stays where it is.
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [lines, ask.isPending]);
  const send = (question: string): void => {
    if (ask.isPending || refusal || !question.trim()) return;
    const asked: Line[] = [...lines, { author: 'visitor', text: question.trim() }];
    setLines(asked);
    setText('');
    ask.mutate(asked);
  };
  const restart = (): void => {
    setLines([]);
    ask.reset();
  };
  const colour = isColour(draft.brandColor) ? draft.brandColor : partner.brandColor;
  return (
    <section aria-labelledby="preview-heading">
      <div className="section-header">
        <h2 id="preview-heading">Try it</h2>
        <span className="text-ink-3">settings as typed, knowledge as saved</span>
      </div>
      <div className="preview-chat" style={brandTokens(colour)}>
        <header>
          <AgencyMark name={businessName} logoUrl={partner.logoUrl} logoAlt={partner.logoAlt} size={32} />
          <div className="min-w-0 flex-1">
            <p className="truncate font-semibold">{businessName}</p>
            <p className="truncate text-xs text-ink-3">{draft.name || 'The chatbot'} answers automatically</p>
          </div>
        </header>
        {/* A log that scrolls is reached by the keyboard. */}
        <div ref={log} className="preview-chat-log" role="log" aria-label="Test conversation" tabIndex={0}>
          <div>
            <p className="preview-chat-bubble" dir="auto">
              {draft.greeting || 'No greeting'}
            </p>
          </div>
          {lines.map((line, at) => (
            <div key={at}>
              <p className="preview-chat-bubble" dir="auto" data-side={line.author}>
                {line.text}
              </p>
              {line.answer ? <PreviewAnswer answer={line.answer} /> : null}
            </div>
          ))}
          {lines.length === 0 && !refusal ? (
            <div className="mt-auto flex flex-wrap gap-2">
              {starters(profile).map((example) => (
                <Button key={example} size="sm" onClick={() => send(example)}>
                  {example}
                </Button>
              ))}
            </div>
          ) : null}
          {ask.isPending ? (
            <div>
              <p className="preview-chat-bubble flex items-center gap-2 text-ink-2">
                <Mark kind="run" /> Answering
              </p>
            </div>
          ) : null}
          {ask.error ? (
            <div>
              <PreviewProblem error={ask.error} clientId={clientId} model={draft.model} onRetry={() => ask.mutate(lines)} />
            </div>
          ) : null}
        </div>
        {refusal === READ_ONLY ? null : (
          <Composer text={text} onText={setText} refusal={refusal} isBusy={ask.isPending} onSend={() => send(text)}>
            {lines.length > 0 ? (
              <IconButton label="Start over" onClick={restart} disabledReason={ask.isPending ? 'An answer is being written.' : undefined}>
                <RotateCcw aria-hidden />
              </IconButton>
            ) : null}
          </Composer>
        )}
        <p className="preview-chat-foot">
          <span>Chat by {partner.name}</span>
          {draft.privacyUrl ? <span>Messages are stored. Privacy</span> : null}
        </p>
      </div>
      <p className="mt-2 text-xs text-ink-3">
        No agent runs, and only token usage is stored.
        {draft.knowledgeText === saved.knowledgeText ? '' : ' It answers from the knowledge text as last saved.'}
      </p>
    </section>
  );
}

type ComposerProps = {
  text: string;
  onText: (text: string) => void;
  refusal: string | undefined;
  isBusy: boolean;
  onSend: () => void;
  children: ReactNode;
};

function Composer({ text, onText, refusal, isBusy, onSend, children }: ComposerProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isOfInputMethod(event.nativeEvent)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit}>
      <textarea
        className="input"
        dir="auto"
        rows={1}
        aria-label="Question of a visitor"
        placeholder="Ask as a visitor"
        maxLength={LIMITS.visitorTextMax}
        disabled={refusal !== undefined}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {children}
      <IconButton type="submit" label="Ask" disabledReason={refusal ?? (isBusy ? 'An answer is being written.' : undefined)}>
        <SendHorizontal aria-hidden />
      </IconButton>
    </form>
  );
}
