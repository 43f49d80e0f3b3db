import { useBlocker } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { downloadText } from '../../app/download.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import './secret-once.css';
import '../../ui/forms/input.css';

type Props = {
  title: string;
  /** The purpose of the secret. */
  intro: ReactNode;
  /** Label of the secret, such as "Signing secret". */
  label: string;
  secret: string;
  /** Name and content of the download. */
  file: { name: string; text: string };
  /** The consequence of leaving without the secret. */
  loss: ReactNode;
  children?: ReactNode;
  /** The user has saved the secret. */
  onDone: () => void;
  /** The user left without saving it. */
  onLeave: () => void;
};

/** Shows a secret once. Done needs the tick; leaving in any other way, including browser navigation, asks first.
 */
export function SecretOnceDialog({ title, intro, label, secret, file, loss, children, onDone, onLeave }: Props) {
  const [isSaved, setSaved] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const blocker = useBlocker({ shouldBlockFn: () => !isSaved, enableBeforeUnload: () => !isSaved, withResolver: true });
  const mustAsk = isAsking || blocker.status === 'blocked';
  const stay = (): void => {
    setAsking(false);
    blocker.reset?.();
  };
  const leave = (): void => {
    blocker.proceed?.();
    onLeave();
  };
  return (
    <Dialog open wide onClose={() => (isSaved ? onDone() : setAsking(true))} title={title}>
      <p className="mb-3 text-ink-2">{intro}</p>
      <SecretField label={label} secret={secret} file={file} isSaved={isSaved} onSaved={setSaved} />
      {children}
      {mustAsk ? (
        <div className="mt-4">
          <Note tone="bad" alert>
            <p>
              <b>Leave without the secret?</b> {loss}
            </p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button size="sm" autoFocus onClick={stay}>
                Stay
              </Button>
              <Button size="sm" kind="danger-text" onClick={leave}>
                Leave without it
              </Button>
            </div>
          </Note>
        </div>
      ) : null}
      <DialogActions>
        <Button kind="primary" inactive={!isSaved} onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type FieldProps = Pick<Props, 'label' | 'secret' | 'file'> & { isSaved: boolean; onSaved: (isSaved: boolean) => void };

function SecretField({ label, secret, file, isSaved, onSaved }: FieldProps) {
  const save = (): void => void downloadText(Promise.resolve(file.text), file.name, 'text/plain').catch(announceError);
  return (
    <div className="secret-once">
      <p className="flex items-center gap-2 font-medium">
        <Mark kind="warn" />
        This is the only time you can see it.
      </p>
      <div className="input !pr-1">
        <code
          role="textbox"
          aria-readonly
          aria-label={label}
          tabIndex={0}
          className="min-w-0 grow basis-full overflow-x-auto outline-0 md:basis-0 whitespace-nowrap select-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} />
        <Button size="sm" icon={<Download aria-hidden />} onClick={save}>
          Download
        </Button>
      </div>
      <Checkbox label="I have saved it" checked={isSaved} onChange={(event) => onSaved(event.target.checked)} />
    </div>
  );
}
