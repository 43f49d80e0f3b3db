import { Link } from '@tanstack/react-router';
import { useMessages } from '../../app/messages.ts';
import { PageError } from '../../shared/page-error.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { useArea } from './area.tsx';

/** Shown for a conversation that does not exist or could not be loaded. */
export function MissingThread(props: { error?: unknown; reset?: () => void }) {
  const { t } = useMessages();
  const inbox = useArea() === 'client' ? '/client/inbox' : '/dashboard/inbox';
  return (
    <div className="p-5">
      <PageError {...props} titles={{ notFound: t('inbox.missing'), notLoaded: t('inbox.not-loaded') }}>
        <Link to={inbox} className={buttonClass()}>
          {t('inbox.all-conversations')}
        </Link>
      </PageError>
    </div>
  );
}
