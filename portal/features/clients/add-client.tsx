import { lazyRouteComponent } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAsked } from '../../app/asked.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { Button, type ButtonKind } from '../../ui/controls/button.tsx';
import { useEdits } from '../../ui/hooks/use-edits.ts';
import { newClient } from './new-client.ts';

/** Loaded when someone approaches the button, so that no page waits for it. */
const CreateClientDialog = lazyRouteComponent(() => import('./create-client.tsx'), 'CreateClientDialog');
const load = (): void => void CreateClientDialog.preload?.();

/** Opens the form; disabled with a reason for users without permission. Typed text stays when Escape closes it, until the page is left. */
export function AddClientButton({ kind = 'primary' }: { kind?: ButtonKind }) {
  const [isOpen, setOpen] = useState(false);
  const edits = useEdits(newClient(useUser().partner.timezone));
  const refusal = useRefusal('clients.create');
  useAsked(refusal === undefined ? 'client' : undefined, setOpen);
  return (
    <>
      <Button
        kind={kind}
        icon={<Plus aria-hidden />}
        disabledReason={refusal}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(true)}
      >
        Add client
      </Button>
      {isOpen ? (
        <Suspense>
          <CreateClientDialog edits={edits} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
