import './inbox.css';
import type { ReactNode } from 'react';
import { useMessages } from '../../app/messages.ts';
import { SHOWN, type Shown } from '../../queries/inbox.ts';
import { shownWord } from './labels.ts';

type Props = {
  shown: Shown | undefined;
  counts: { unread: number; waiting: number } | undefined;
  onShow: (shown: Shown | undefined) => void;
};

/** Views of the list; a second click on one shows all again. */
export function InboxChips({ shown, counts, onShow }: Props) {
  const { t } = useMessages();
  const countOf = (one: Shown): number => (one === 'unread' ? (counts?.unread ?? 0) : one === 'waiting' ? (counts?.waiting ?? 0) : 0);
  return (
    <div role="group" aria-label={t('inbox.show')} className="inbox-chips">
      <Chip isOn={shown === undefined} onClick={() => onShow(undefined)}>
        {t('inbox.all')}
      </Chip>
      {SHOWN.map((one) => (
        <Chip key={one} isOn={shown === one} onClick={() => onShow(shown === one ? undefined : one)}>
          {shownWord(t, one)}
          {countOf(one) > 0 ? <span className="tabular-nums text-ink-3">{countOf(one) > 99 ? '99+' : countOf(one)}</span> : null}
        </Chip>
      ))}
    </div>
  );
}

function Chip({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}
