import './inbox.css';
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../app/messages.ts';
import { Kbd } from '../../ui/layout/layout.tsx';
import { MarkedText, markPart } from '../../ui/text/marked-text.tsx';
import { figuresQuery } from '../../queries/inbox.ts';
import { useArea } from './area.tsx';
import { ChatFiguresPanel } from './figures-panel.tsx';

/** Shown next to the list while no conversation is open. */
export function NoSelection({ clientId }: { clientId: string | undefined }) {
  const { t } = useMessages();
  const area = useArea();
  const { isPending } = useQuery(figuresQuery(clientId));
  return (
    <div className="inbox-none">
      <ChatFiguresPanel clientId={clientId} />
      {/* Below the figures: before they are known it would move. */}
      <p className={isPending ? 'invisible' : 'text-ink-3'}>
        {t('inbox.choose')}{' '}
        {area === 'dashboard' ? (
          <MarkedText part={(key) => <Kbd>{key}</Kbd>}>
            {t('inbox.choose-keys', { down: markPart('J'), up: markPart('K'), enter: markPart('Enter') })}
          </MarkedText>
        ) : null}
      </p>
    </div>
  );
}
