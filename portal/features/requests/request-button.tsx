import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useAsked } from '../../app/asked.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button, type ButtonKind } from '../../ui/controls/button.tsx';

/** Loaded when someone approaches the button, so that no page waits for it. */
const RequestDialog = lazyRouteComponent(() => import('./request-dialog.tsx'), 'RequestDialog');
const load = (): void => void RequestDialog.preload?.();

type ButtonProps = { kind?: ButtonKind; clientId: string | undefined; templateName?: string | undefined; word?: string };

/** Opens the request dialog; disabled with a reason for users without permission. */
export function RequestButton({ kind = 'default', clientId, templateName, word = 'Request an agent' }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('requests.create');
  // Shortcuts and links open the dialog without a template, so only a button without one responds.
  useAsked(templateName === undefined ? 'request' : undefined, setOpen);
  return (
    <>
      <Button kind={kind} disabledReason={refusal} onPointerEnter={load} onFocus={load} onClick={() => setOpen(true)}>
        {word}
      </Button>
      {isOpen ? (
        <Suspense>
          <RequestDialog clientId={clientId} templateName={templateName} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Requests the agent of a sample for the client that the sample ran for. */
export function RequestSampleButton({ sample }: { sample: { clientId: string | null; templateName: string } }) {
  return (
    <RequestButton kind="primary" word="Request this agent" clientId={sample.clientId ?? undefined} templateName={sample.templateName} />
  );
}
