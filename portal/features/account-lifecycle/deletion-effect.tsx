import { useMessages } from '../../app/messages.ts';
import { useUser } from '../../app/session.ts';
import type { DeletionPreview } from '../../queries/account.ts';
import { formatLongDay } from '../../ui/text/format.ts';
import { stopsText } from '../../shared/account-words.ts';
import { removedText } from './words.ts';

/** What a deletion means, in counts: what stops, and what is removed on which day. */
export function DeletionEffect({ preview, when }: { preview: DeletionPreview; when: 'now' | 'on_approval' }) {
  const { t } = useMessages();
  const isClient = useUser().role === 'CLIENT';
  const day = formatLongDay(preview.purgeAfter);
  const removed = removedText(t, preview);
  return (
    <div className="grid gap-2 text-ink-2">
      <p>
        {stopsText(t, preview, when)}{' '}
        <b className="text-ink">{t(when === 'now' ? 'lifecycle.gone-now' : 'lifecycle.gone-approved', { day })}</b>
        {removed ? `: ${removed}` : ''}. {t('lifecycle.until-then')}
      </p>
      <p>{t(isClient ? 'lifecycle.export-first' : 'lifecycle.export-first-agency')}</p>
    </div>
  );
}
