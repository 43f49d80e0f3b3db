import '../../ui/forms/input.css';
import './inbox.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { cannedQuery } from '../../queries/inbox.ts';

type Props = { clientId: string; onPick: (text: string) => void; onManage: () => void; onClose: () => void };

/** Prepared replies to choose from: type to narrow down, arrow keys and Enter choose. */
export function CannedPicker({ clientId, onPick, onManage, onClose }: Props) {
  const { t } = useMessages();
  const { data = [], isPending } = useQuery(cannedQuery(clientId));
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const words = text.trim().toLowerCase();
  const found = data.filter((one) => `${one.title} ${one.text}`.toLowerCase().includes(words)).slice(0, 50);
  const chosen = found[Math.min(at, found.length - 1)];
  return (
    <div className="inbox-picker" role="dialog" aria-label={t('inbox.prepared')}>
      <div className="flex items-center gap-2">
        <input
          ref={input}
          className="input"
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          aria-label={t('inbox.prepared-find')}
          placeholder={t('inbox.prepared-find')}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
            else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
            else if (event.key === 'Enter' && chosen) onPick(chosen.text);
            else if (event.key === 'Escape') onClose();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <Button onClick={onManage}>{t('inbox.prepared-manage')}</Button>
      </div>
      <ul id={id} role="listbox" aria-label={t('inbox.prepared')}>
        {found.map((one) => (
          <li key={one.id} id={`${id}-${one.id}`} role="option" aria-selected={one === chosen} onClick={() => onPick(one.text)}>
            <b>{one.title}</b>
            <span className="truncate text-ink-3">{one.text}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && !isPending ? (
        <p className="p-2 text-ink-3">{t(data.length === 0 ? 'inbox.prepared-none' : 'inbox.prepared-no-match')}</p>
      ) : null}
    </div>
  );
}
