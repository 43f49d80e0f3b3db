import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Checkbox } from './field.tsx';

/** A secret that is shown now and never again: Copy, Download, and a tick before Done. Leaving the page asks. */
export function SecretOnce({ name, value, filename, onDone }: { name: string; value: string; filename: string; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (isSaved) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaved]);
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([value + '\n'], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = filename;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="rounded-lg border border-warn-line bg-warn-wash px-3.5 py-3">
      <p><b>{name}</b> <span className="text-ink-2">This is the only time you can see it.</span></p>
      <div className="input mt-2 !pr-1">
        <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap">{value}</code>
        <CopyButton text={value} />
        <Button size="sm" icon={<Download aria-hidden />} onClick={download}>Download</Button>
      </div>
      <div className="mt-2 flex items-center">
        <Checkbox label="I have saved it" checked={isSaved} onChange={(event) => setSaved(event.target.checked)} />
        <Button kind="primary" size="sm" className="ml-auto" inactive={!isSaved} onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
