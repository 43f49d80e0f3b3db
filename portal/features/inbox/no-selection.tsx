import './inbox.css';
import { Kbd } from '../../ui/layout/layout.tsx';
import { ChatFiguresPanel } from './figures-panel.tsx';

/** Beside the list while no conversation is open. */
export function NoSelection({ clientId }: { clientId: string | undefined }) {
  return (
    <div className="inbox-none">
      <ChatFiguresPanel clientId={clientId} />
      <p className="text-ink-3">
        Choose a conversation. <Kbd>J</Kbd> and <Kbd>K</Kbd> move through the list, <Kbd>Enter</Kbd> opens.
      </p>
    </div>
  );
}
