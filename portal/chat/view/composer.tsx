/** @jsxImportSource preact */
import type { Ref, TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { isOfInputMethod } from '../../ui/keyboard/input-method.ts';
import { t } from '../messages.ts';
import { Icon } from './icons.tsx';

type ComposerProps = {
  name: string;
  textMax: number;
  draft: string;
  /** An earlier conversation is still being read. */
  isBusy: boolean;
  input: { current: HTMLTextAreaElement | null };
  onDraft: (text: string) => void;
  onSend: (text: string) => void;
};

/** From this share of the limit on, the counter is shown. */
const COUNTED_FROM = 0.9;

/** The field for a message: Enter sends, Shift+Enter begins a new line. */
export function Composer({ name, textMax, draft, isBusy, input, onDraft, onSend }: ComposerProps) {
  const [text, setText] = useState(draft);
  const length = text.trim().length;
  const isTooLong = length > textMax;
  const canSend = length > 0 && !isTooLong && !isBusy;
  useLayoutEffect(() => {
    const field = input.current;
    if (!field) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [text, input]);

  const write = (next: string): void => {
    setText(next);
    onDraft(next);
  };
  const send = (): void => {
    if (!canSend) return;
    onSend(text.trim());
    setText('');
    input.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || isOfInputMethod(event)) return;
    event.preventDefault();
    send();
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send();
  };
  return (
    <form class="composer" onSubmit={onSubmit}>
      <div class="field" data-invalid={isTooLong || undefined}>
        <textarea
          ref={input as Ref<HTMLTextAreaElement>}
          dir="auto"
          rows={1}
          value={text}
          aria-label={t('chat.message-to', { name })}
          aria-describedby="limit"
          aria-invalid={isTooLong}
          placeholder={t('chat.placeholder')}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="send" aria-label={t('chat.send')} aria-disabled={!canSend}>
          <Icon name="send" />
        </button>
      </div>
      <p id="limit" class="limit" role="status">
        {isTooLong
          ? t('chat.too-long', { count: length - textMax })
          : length >= textMax * COUNTED_FROM && t('chat.length', { length, most: textMax })}
      </p>
    </form>
  );
}
