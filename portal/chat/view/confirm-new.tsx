/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../messages.ts';

/** Asks before a conversation leaves the screen for good. Escape and Keep leave it as it is. */
export function ConfirmNew({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="confirm-title" aria-describedby="confirm-text" onClose={onCancel}>
      <h2 id="confirm-title">{t('chat.new-title')}</h2>
      <p id="confirm-text">{t('chat.new-text')}</p>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={onCancel}>
          {t('chat.new-keep')}
        </button>
        <button type="button" class="button" data-primary="" onClick={onConfirm}>
          {t('chat.new-confirm')}
        </button>
      </div>
    </dialog>
  );
}
