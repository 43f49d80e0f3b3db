import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';

type Props = { codes: readonly string[]; email: string; size: 'md' | 'lg'; onDone: () => void };

/** Shows new recovery codes once. Warns before leaving until the user confirms that they are saved. */
export function RecoveryCodes({ codes, email, size, onDone }: Props) {
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (isSaved) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaved]);
  const text = codes.join('\n');
  return (
    <div className="grid gap-4" role="status">
      <Note tone="warn">
        <p>
          <b>This is the only time you can see them.</b> Each code lets you log in once without your phone.
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
        <CopyButton text={text} label="Copy all" />
        <Button size="sm" icon={<Download aria-hidden />} onClick={() => download(text, email)}>
          Download
        </Button>
      </div>
      <Checkbox label="I have saved them" checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
      <div>
        <Button size={size} kind="primary" inactive={!isSaved} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

function download(text: string, email: string): void {
  const url = URL.createObjectURL(new Blob([`Recovery codes of ${email}. Each works once.\n\n${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
