import { useMessages } from '../../app/messages.ts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { LeaveGuard } from '../../shared/forms/leave-guard.tsx';

type Props = { codes: readonly string[]; email: string; size: 'md' | 'lg'; onDone: () => void };

/** Shows new recovery codes once. Warns before leaving until the user confirms that they are saved. */
export function RecoveryCodes({ codes, email, size, onDone }: Props) {
  const { t } = useMessages();
  const [isSaved, setSaved] = useState(false);
  const text = codes.join('\n');
  return (
    <div className="grid gap-4" role="status">
      <Note tone="warn">
        <p>
          <b>{t('account.onlyTime')}</b> {t('account.eachCode')}
        </p>
      </Note>
      <ol className="tabular-nums grid grid-cols-1 gap-x-6 gap-y-1 rounded-md border border-line-soft bg-sunken px-4 py-3 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label={t('account.copyAll')} />
        <Button size="sm" icon={<Download aria-hidden />} onClick={() => download(t('account.codesFile', { email }), text)}>
          {t('account.download')}
        </Button>
      </div>
      <Checkbox label={t('account.haveSaved')} checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <div>
        <Button size={size} kind="primary" inactive={!isSaved} onClick={onDone}>
          {t('account.done')}
        </Button>
      </div>
      <LeaveGuard isAtRisk={() => !isSaved} title={t('account.leaveCodes')} text={t('account.codesLost')} />
    </div>
  );
}

function download(lead: string, text: string): void {
  const url = URL.createObjectURL(new Blob([`${lead}\n\n${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
